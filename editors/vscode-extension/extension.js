// Starts `sandbox-lint lsp` for YAML and JSON files.
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("sandbox-lint");
  const command = settings.get("path") || "sandbox-lint";
  const args = ["lsp", ...(settings.get("arguments") || [])];
  client = new LanguageClient(
    "sandbox-lint",
    "sandbox-lint",
    { command, args, transport: TransportKind.stdio },
    {
      documentSelector: ["yaml", "json"].flatMap((language) =>
        ["file", "untitled"].map((scheme) => ({ scheme, language })),
      ),
    },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`sandbox-lint: ${command} does not start: ${error.message}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  // A client that never started cannot be stopped.
  await running?.stop().catch(() => {});
}

exports.activate = async (context) => {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("sandbox-lint.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      const changed = ["sandbox-lint.path", "sandbox-lint.arguments"];
      if (changed.some((name) => event.affectsConfiguration(name))) await restart();
    }),
  );
  await start();
};

exports.deactivate = stop;
