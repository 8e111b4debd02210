// VS Code as far as our extension asks for it, without a window: settings with the
// defaults that package.json declares, a status bar, commands, documents. The client
// speaks to the real server through the library that VS Code's own client is built on.

const { spawn } = require('child_process');
const fs = require('fs');
const Module = require('module');
const path = require('path');
const { pathToFileURL } = require('url');
const lsp = require('vscode-languageserver-protocol/node');

/** An event that listeners hear of. */
function event() {
  const listeners = [];
  const on = (listener) => {
    listeners.push(listener);
    return { dispose() {} };
  };
  on.fire = (what) => listeners.forEach((listener) => listener(what));
  return on;
}

const settings = {}; // as in settings.json, without "warpwise."
const defaults = {};
const commands = {};
const documents = [];
const said = []; // by the server, to its log or the user
const item = {
  isShown: false,
  show() {
    this.isShown = true;
  },
  hide() {
    this.isShown = false;
  },
};
const toPublish = [];
let whenPublished = null;
let selector = [];
let connection = null;

const changedEditor = event();
const closedDocument = event();
const vscode = {
  StatusBarAlignment: { Left: 1, Right: 2 },
  Uri: { parse: (text) => new URL(text) },
  commands: {
    registerCommand(name, run) {
      commands[name] = run;
      return { dispose() {} };
    },
  },
  window: {
    activeTextEditor: undefined,
    createStatusBarItem: () => item,
    onDidChangeActiveTextEditor: changedEditor,
    showErrorMessage: (text) => console.log(`error: ${text}`),
  },
  workspace: {
    getConfiguration: () => ({
      ...defaults,
      ...settings,
      get: (key) => ({ ...defaults, ...settings })[key],
    }),
    onDidCloseTextDocument: closedDocument,
  },
};

function sendOpen(document) {
  if (connection && selector.some((one) => one.language === document.languageId))
    connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
      textDocument: {
        uri: document.uri.toString(),
        languageId: document.languageId,
        version: 1,
        text: fs.readFileSync(document.uri, 'utf8'),
      },
    });
}

class LanguageClient {
  outputChannel = { show: () => console.log('the log is shown') };
  heard = [];
  changed = event();

  constructor(id, name, server, options) {
    Object.assign(this, { server, options });
  }

  onNotification(method, listener) {
    this.heard.push([method, listener]);
  }

  onDidChangeState(listener) {
    this.changed(listener);
  }

  async start() {
    const process = spawn(this.server.command, this.server.args, {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.ended = new Promise((resolve) => process.on('exit', resolve));
    await new Promise((resolve, reject) => {
      process.on('spawn', resolve);
      process.on('error', reject);
    });
    connection = lsp.createProtocolConnection(
      new lsp.StreamMessageReader(process.stdout),
      new lsp.StreamMessageWriter(process.stdin)
    );
    for (const [method, listener] of this.heard)
      connection.onNotification(method, listener);
    for (const type of [lsp.LogMessageNotification.type, lsp.ShowMessageNotification.type])
      connection.onNotification(type, ({ message }) => said.push(message));
    connection.onRequest(lsp.ConfigurationRequest.type, ({ items }) =>
      items.map(() => vscode.workspace.getConfiguration())
    );
    connection.onRequest(lsp.RegistrationRequest.type, () => {});
    connection.onNotification(lsp.PublishDiagnosticsNotification.type, (what) => {
      toPublish.push(what);
      if (whenPublished) whenPublished();
    });
    connection.listen();
    await connection.sendRequest(lsp.InitializeRequest.type, {
      processId: global.process.pid,
      rootUri: null,
      capabilities: { workspace: { configuration: true } },
      workspaceFolders: null,
      initializationOptions: this.options.initializationOptions,
    });
    await connection.sendNotification(lsp.InitializedNotification.type, {});
    selector = this.options.documentSelector;
    documents.forEach(sendOpen);
  }

  isRunning() {
    return connection !== null;
  }

  async stop() {
    if (!connection) throw new Error('the client is not running');
    await connection.sendRequest(lsp.ShutdownRequest.type);
    await connection.sendNotification(lsp.ExitNotification.type);
    await this.ended;
    connection.dispose();
    connection = null;
    toPublish.length = 0;
    this.changed.fire({ newState: 1 });
  }
}

const load = Module._load;
Module._load = (name, ...others) => {
  if (name === 'vscode') return vscode;
  if (name === 'vscode-languageclient/node')
    return { LanguageClient, State: { Stopped: 1, Running: 2, Starting: 3 } };
  return load(name, ...others);
};

module.exports = {
  settings,
  said,
  item,
  context: { subscriptions: [] },

  /** The extension in \p folder, by its package.json. */
  load(folder) {
    const { main, contributes } = require(path.join(folder, 'package.json'));
    for (const [name, { default: value }] of Object.entries(
      contributes.configuration.properties
    ))
      defaults[name.replace('warpwise.', '')] = value;
    const extension = require(path.join(folder, main));
    const activate = extension.activate;
    return {
      ...extension,
      async activate(context) {
        await activate(context);
        for (const { command } of contributes.commands)
          if (!commands[command]) throw new Error(`nobody registered ${command}`);
      },
    };
  },

  open(file, languageId) {
    const document = { uri: pathToFileURL(file), languageId };
    documents.push(document);
    sendOpen(document);
    vscode.window.activeTextEditor = { document };
    return document;
  },

  close(document) {
    documents.splice(documents.indexOf(document), 1);
    closedDocument.fire(document);
  },

  look(document) {
    vscode.window.activeTextEditor = { document };
    changedEditor.fire(vscode.window.activeTextEditor);
  },

  run: (command) => commands[command](),
  bar: () => (item.isShown ? item.text : 'hidden'),

  /** The next diagnostics that the server publishes. */
  async published() {
    while (toPublish.length === 0)
      await new Promise((resolve) => (whenPublished = resolve));
    return toPublish.shift();
  },
};
