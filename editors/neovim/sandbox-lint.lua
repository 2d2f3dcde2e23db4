-- Starts `sandbox-lint lsp` for YAML and JSON files. Put it into ~/.config/nvim/plugin/; no other plugin is needed.

-- The folder of the nearest configuration or repository; without one, that of the file.
local function root(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  local config = vim.fn.findfile(".sandbox-lint.yaml", vim.fn.escape(folder, " ,;") .. ";")
  local git = vim.fn.finddir(".git", vim.fn.escape(folder, " ,;") .. ";")
  if git ~= "" then
    return vim.fn.fnamemodify(git, ":p:h:h")
  end
  return config ~= "" and vim.fn.fnamemodify(config, ":p:h") or folder
end

-- Neovim before 0.8 has no vim.lsp.start.
local known = {}
local start = vim.lsp.start
  or function(config)
    local id = known[config.root_dir] or vim.lsp.start_client(config)
    known[config.root_dir] = id
    vim.lsp.buf_attach_client(0, id)
  end

vim.api.nvim_create_autocmd("FileType", {
  pattern = { "yaml", "json" },
  callback = function(event)
    local file = vim.api.nvim_buf_get_name(event.buf)
    if file ~= "" and vim.bo[event.buf].buftype == "" then
      start({ name = "sandbox-lint", cmd = { "sandbox-lint", "lsp" }, root_dir = root(file) })
    end
  end,
})
