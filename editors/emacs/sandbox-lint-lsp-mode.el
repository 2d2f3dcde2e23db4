;;; sandbox-lint-lsp-mode.el --- sandbox-lint with lsp-mode  -*- lexical-binding: t -*-

;;; Commentary:

;; Runs beside yaml-language-server, where that is installed.

;;; Code:

(require 'lsp-mode)

(lsp-register-client
 (make-lsp-client
  :new-connection (lsp-stdio-connection '("sandbox-lint" "lsp"))
  :activation-fn (lsp-activate-on "yaml" "json")
  :add-on? t
  :server-id 'sandbox-lint))

(add-hook 'yaml-mode-hook #'lsp-deferred)
(add-hook 'yaml-ts-mode-hook #'lsp-deferred)

(provide 'sandbox-lint-lsp-mode)
;;; sandbox-lint-lsp-mode.el ends here
