;;; emacs.el --- Warpwise in Emacs, with Eglot -*- lexical-binding: t -*-

;; Emacs has Eglot from 29 on; for 28 it is a package (Debian's elpa-eglot). Load this
;; file from init.el:
;;
;;   (load "/usr/share/doc/warpwise/docs/editors/emacs.el")
;;
;; What is to be different, say before:
;;
;;   (setq warpwise-command '("/opt/warpwise/bin/warpwise" "lsp"))
;;
;; Settings are in the section :warpwise of Eglot's; docs/editor.md has them all:
;;
;;   (setq-default eglot-workspace-configuration '(:warpwise (:gpu "h200")))
;;
;; Eglot starts one server for a buffer, so this one takes clangd's place in CUDA files.

(defvar warpwise-command '("warpwise" "lsp")
  "The language server for CUDA files and its arguments.")

(unless (fboundp 'cuda-mode)
  (define-derived-mode cuda-mode c++-mode "CUDA"
    "C++ with kernels."))
(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . cuda-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               (cons 'cuda-mode (lambda (&rest _) warpwise-command))))
(add-hook 'cuda-mode-hook #'eglot-ensure)

(provide 'warpwise)
;;; emacs.el ends here
