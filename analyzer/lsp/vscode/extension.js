// The VS Code side of `warpwise lsp`: starts it, hands it the settings, and shows
// which device profile it judges by.

const vscode = require('vscode');
const { LanguageClient, State } = require('vscode-languageclient/node');

const languages = ['cuda-cpp', 'cuda'];
let client;
let item;
const profiles = new Map(); // by the document's URI

function settings() {
  return vscode.workspace.getConfiguration('warpwise');
}

/** Shows the profile of the document that one looks at. */
function showProfile() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !languages.includes(editor.document.languageId)) {
    item.hide();
    return;
  }
  // "profile nvidia-h200: NVIDIA H200, sm_90; measured ..."
  const says = profiles.get(editor.document.uri.toString());
  const name = says && /^profile ([^:]+):/.exec(says);
  item.text = `$(circuit-board) ${name ? name[1] : 'Warpwise'}`;
  item.tooltip = says || 'Warpwise has not looked at this file yet';
  item.show();
}

/** A client that could not start has nothing to stop, and says so by throwing. */
async function stop() {
  if (client && client.isRunning()) await client.stop();
}

async function start() {
  const server = {
    command: settings().get('path'),
    args: ['lsp', ...settings().get('flags')],
  };
  client = new LanguageClient('warpwise', 'Warpwise', server, {
    documentSelector: languages.map((language) => ({ scheme: 'file', language })),
    initializationOptions: { ...settings(), status: true },
    synchronize: { configurationSection: 'warpwise' },
  });
  client.onNotification('warpwise/status', ({ uri, profile }) => {
    profiles.set(vscode.Uri.parse(uri).toString(), profile);
    showProfile();
  });
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Stopped) profiles.clear();
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `Warpwise: cannot start '${server.command}' (warpwise.path): ${error.message}`
    );
  }
}

async function activate(context) {
  item = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 50);
  item.command = 'warpwise.showLog';
  context.subscriptions.push(
    item,
    vscode.window.onDidChangeActiveTextEditor(showProfile),
    vscode.workspace.onDidCloseTextDocument((document) =>
      profiles.delete(document.uri.toString())
    ),
    vscode.commands.registerCommand('warpwise.showLog', () =>
      client.outputChannel.show()
    ),
    vscode.commands.registerCommand('warpwise.restart', async () => {
      await stop();
      await start();
    })
  );
  await start();
  showProfile();
}

module.exports = { activate, deactivate: stop };
