-- Warpwise in Neovim, 0.7 and later, beside clangd or alone. Load it from init.lua:
--
--   dofile('/usr/share/doc/warpwise/docs/editors/neovim.lua')
--
-- or put it into ~/.config/nvim/plugin. What is to be different, say before:
--
--   vim.g.warpwise = {
--     cmd = { '/opt/warpwise/bin/warpwise', 'lsp' },  -- what to start
--     settings = { gpu = 'h200' },                    -- docs/editor.md has them all
--     filetypes = { 'cuda', 'cpp' },                  -- also where kernels are in .h, .hpp
--   }

local wanted = vim.g.warpwise or {}
local markers = { 'compile_commands.json', '.warpwise', '.git' }
local clients = {} -- by the root of what they look at; for Neovim 0.7

-- The folder above a file that has one of the markers.
local function root(file)
  local folder, below = vim.fn.fnamemodify(file, ':p:h'), nil
  while folder ~= below do
    for _, name in ipairs(markers) do
      if vim.fn.getftype(folder .. '/' .. name) ~= '' then return folder end
    end
    folder, below = vim.fn.fnamemodify(folder, ':h'), folder
  end
end

local function start(buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if file == '' or vim.bo[buffer].buftype ~= '' then return end
  local config = {
    name = 'warpwise',
    cmd = wanted.cmd or { 'warpwise', 'lsp' },
    root_dir = root(file),
    -- Neovim 0.7 is not asked for settings.
    init_options = wanted.settings,
    settings = { warpwise = wanted.settings },
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  local key = config.root_dir or ''
  local client = clients[key]
  if not client or vim.lsp.client_is_stopped(client) then
    client = vim.lsp.start_client(config)
    clients[key] = client
  end
  if client then vim.lsp.buf_attach_client(buffer, client) end
end

vim.filetype.add({ extension = { cu = 'cuda', cuh = 'cuda' } })
vim.api.nvim_create_autocmd('FileType', {
  group = vim.api.nvim_create_augroup('warpwise', {}),
  pattern = wanted.filetypes or { 'cuda' },
  callback = function(event) start(event.buf) end,
})
