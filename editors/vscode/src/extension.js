// Starts `tracehound lsp` for scripts; everything else is the server's.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function serverArguments(settings) {
  const given = ["lsp", "--time-limit", String(settings.get("timeLimit", 600))];
  const memory = settings.get("memoryLimit", "");
  return memory ? [...given, "--memory-limit", memory] : given;
}

async function start() {
  const settings = vscode.workspace.getConfiguration("tracehound");
  const server = { command: settings.get("path", "tracehound"), args: serverArguments(settings) };
  const options = { documentSelector: [{ language: "cspm" }, { language: "tracehound-network" }] };
  client = new LanguageClient("tracehound", "Tracehound", server, options);
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`Tracehound could not be started: ${error}. Set "tracehound.path" to the program.`);
  }
}

async function checkFile() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) return;
  const request = { command: "tracehound.checkAll", arguments: [client.code2ProtocolConverter.asUri(editor.document.uri)] };
  await client.sendRequest("workspace/executeCommand", request);
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("tracehound.checkFile", checkFile),
    vscode.commands.registerCommand("tracehound.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
};

exports.deactivate = () => client?.stop();
