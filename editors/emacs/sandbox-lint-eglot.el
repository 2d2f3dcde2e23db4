;;; sandbox-lint-eglot.el --- sandbox-lint with eglot  -*- lexical-binding: t -*-

;;; Commentary:

;; eglot starts one server for a buffer; `M-x eglot' starts this one in YAML.

;;; Code:

(require 'eglot)

(add-to-list 'eglot-server-programs
             '((yaml-mode yaml-ts-mode) . ("sandbox-lint" "lsp")))

(add-hook 'yaml-mode-hook #'eglot-ensure)
(add-hook 'yaml-ts-mode-hook #'eglot-ensure)

(provide 'sandbox-lint-eglot)
;;; sandbox-lint-eglot.el ends here
