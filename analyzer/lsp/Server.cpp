//===- Server.cpp - The language server -----------------------------------===//

#include "analyzer/lsp/Server.h"

#include "analyzer/lsp/Document.h"
#include "analyzer/lsp/MessageReader.h"
#include "analyzer/lsp/Messages.h"
#include "analyzer/lsp/Positions.h"

#include "mlir/Tools/lsp-server-support/Logging.h"
#include "mlir/Tools/lsp-server-support/Transport.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace warpwise::lsp {

namespace json = llvm::json;
using namespace mlir::lsp;
using std::chrono::milliseconds;

namespace {

class Server {
public:
  Server(const ServerOptions &Options, const MakeAnalyst &Make);
  int run();

private:
  // The editor's messages.
  void receive(Received What);
  void call(llvm::StringRef Method, json::Value Parameters, json::Value Id);
  void onInitialize(const Any &Asked, Callback<json::Value> Reply);
  void onShutdown(const NoParams &, Callback<std::nullptr_t> Reply);
  void onIgnored(const NoParams &) {}
  void onOpen(const DidOpenTextDocumentParams &Asked);
  void onChange(const DidChangeTextDocumentParams &Asked);
  void onSave(const DidSave &Asked);
  void onClose(const DidCloseTextDocumentParams &Asked);

  // The documents.
  Document *find(const URIForFile &Uri);
  void changed(Document &Its);
  void ask(Document &Its);
  void askDue();
  void take(Document &Its, Answer What);
  void publish(const Document &Its, json::Array Diagnostics);

  bool wait();
  milliseconds patience() const;

  const ServerOptions &Options;
  const MakeAnalyst &Make;
  MessageReader Reader;
  JSONTransport Out;
  MessageHandler Handler;
  OutgoingNotification<Any> Publish;
  /// By the path of their file.
  std::map<std::string, std::unique_ptr<Document>> Documents;
  enum class Phase { Unknown, Serving, ShutDown, Left } Now = Phase::Unknown;
};

Server::Server(const ServerOptions &Options, const MakeAnalyst &Make)
    : Options(Options), Make(Make), Out(stdin, llvm::outs()), Handler(Out) {
  Logger::setLogLevel(Logger::Level::Error);
  Handler.method("initialize", this, &Server::onInitialize);
  Handler.method("shutdown", this, &Server::onShutdown);
  Handler.notification("initialized", this, &Server::onIgnored);
  Handler.notification("$/setTrace", this, &Server::onIgnored);
  Handler.notification("$/cancelRequest", this, &Server::onIgnored);
  Handler.notification("textDocument/didOpen", this, &Server::onOpen);
  Handler.notification("textDocument/didChange", this, &Server::onChange);
  Handler.notification("textDocument/didSave", this, &Server::onSave);
  Handler.notification("textDocument/didClose", this, &Server::onClose);
  Publish =
      Handler.outgoingNotification<Any>("textDocument/publishDiagnostics");
}

//===--- The loop ---------------------------------------------------------===//

/// How long nothing happens unless somebody says something.
milliseconds Server::patience() const {
  auto Next = Clock::now() + std::chrono::hours(1);
  for (const auto &[File, Its] : Documents) {
    if (Its->Due && !Its->isAsked())
      Next = std::min(Next, *Its->Due);
    if (Its->isAsked())
      Next = std::min(Next, *Its->askedSince() + Options.Patience);
  }
  return std::max(milliseconds(0),
                  std::chrono::ceil<milliseconds>(Next - Clock::now()));
}

/// Waits for the editor and the processes; false when the editor is gone.
bool Server::wait() {
  std::vector<pollfd> Files = {{STDIN_FILENO, POLLIN, 0}};
  std::vector<Document *> Whose = {nullptr};
  for (const auto &[File, Its] : Documents)
    if (Its->socket() >= 0) {
      Files.push_back({Its->socket(), Its->events(), 0});
      Whose.push_back(Its.get());
    }
  if (::poll(Files.data(), Files.size(), int(patience().count())) < 0)
    return errno == EINTR;
  // Answers first: what the editor says next may make them outdated, but then
  // it has at least got them.
  for (size_t I = 1; I != Files.size(); ++I)
    if (Files[I].revents)
      for (Answer &Part : Whose[I]->answers())
        take(*Whose[I], std::move(Part));
  if (!Files.front().revents)
    return true;
  char Buffer[1 << 16];
  const ssize_t Count = ::read(STDIN_FILENO, Buffer, sizeof(Buffer));
  if (Count <= 0)
    return Count < 0 && errno == EINTR;
  Reader.append({Buffer, size_t(Count)});
  while (Now != Phase::Left)
    if (auto What = Reader.next())
      receive(std::move(*What));
    else
      break;
  return true;
}

int Server::run() {
  bool WasShutDown = false;
  while (Now != Phase::Left && wait()) {
    WasShutDown |= Now == Phase::ShutDown;
    askDue();
  }
  return WasShutDown ? 0 : 1;
}

//===--- Messages ---------------------------------------------------------===//

void Server::receive(Received What) {
  const auto refuse = [&](ErrorCode Code, std::string Why) {
    Out.reply(nullptr, failure(Code, std::move(Why)));
  };
  if (!What.Fault.empty())
    return refuse(ErrorCode::ParseError, std::move(What.Fault));
  json::Object *Message = What.Message.getAsObject();
  if (!Message || Message->getString("jsonrpc") != "2.0")
    return refuse(ErrorCode::InvalidRequest,
                  "a message that is no JSON-RPC 2.0");
  const json::Value *Id = Message->get("id");
  if (Id && Id->kind() != json::Value::Number &&
      Id->kind() != json::Value::String)
    return refuse(ErrorCode::InvalidRequest,
                  "an id that is no number and no string");
  const auto Method = Message->getString("method");
  json::Value Parameters = nullptr;
  if (const json::Value *Given = Message->get("params"))
    Parameters = *Given;
  if (Method && Id)
    return call(*Method, std::move(Parameters), *Id);
  if (Method) {
    // Before and after, only this one counts.
    if (Now == Phase::Serving || *Method == "exit")
      if (!Handler.onNotify(*Method, std::move(Parameters)))
        Now = Phase::Left;
    return;
  }
  if (!Id)
    return refuse(ErrorCode::InvalidRequest, "a message without method and id");
  if (const json::Object *Error = Message->getObject("error"))
    Handler.onReply(*Id,
                    failure(ErrorCode::UnknownErrorCode,
                            Error->getString("message").value_or("").str()));
  else if (const json::Value *Result = Message->get("result"))
    Handler.onReply(*Id, *Result);
  else
    refuse(ErrorCode::InvalidRequest, "a response without result and error");
}

void Server::call(llvm::StringRef Method, json::Value Parameters,
                  json::Value Id) {
  if (Now == Phase::Unknown && Method != "initialize")
    return Out.reply(std::move(Id),
                     failure(ErrorCode::ServerNotInitialized,
                             "the first request has to be 'initialize'"));
  if (Now == Phase::ShutDown ||
      (Now == Phase::Serving && Method == "initialize"))
    return Out.reply(
        std::move(Id),
        failure(ErrorCode::InvalidRequest, Now == Phase::ShutDown
                                               ? "the server has been shut down"
                                               : "the server is initialised"));
  if (!Handler.onCall(Method, std::move(Parameters), std::move(Id)))
    Now = Phase::Left;
}

void Server::onInitialize(const Any &Asked, Callback<json::Value> Reply) {
  Now = Phase::Serving;
  Reply(json::Object{
      {"capabilities",
       json::Object{
           {"positionEncoding", "utf-16"},
           {"textDocumentSync",
            json::Object{{"openClose", true},
                         {"change", int(TextDocumentSyncKind::Incremental)},
                         {"save", true}}},
       }},
      {"serverInfo",
       json::Object{{"name", "warpwise"}, {"version", Options.Version}}}});
}

void Server::onShutdown(const NoParams &, Callback<std::nullptr_t> Reply) {
  Now = Phase::ShutDown;
  Documents.clear();
  Reply(nullptr);
}

void Server::onOpen(const DidOpenTextDocumentParams &Asked) {
  const TextDocumentItem &Item = Asked.textDocument;
  auto &Its = Documents[Item.uri.file().str()];
  Its = std::make_unique<Document>(Item.uri, Item.text, Item.version);
  Its->Due = Clock::now();
}

void Server::onChange(const DidChangeTextDocumentParams &Asked) {
  Document *Its = find(Asked.textDocument.uri);
  if (!Its)
    return;
  applyChanges(Its->Text, Asked.contentChanges);
  Its->Version = Asked.textDocument.version;
  changed(*Its);
}

void Server::onSave(const DidSave &Asked) {
  // Files that were closed may launch kernels of those that are open.
  for (const auto &[File, Its] : Documents)
    Its->Due = Clock::now() + Options.Quiet;
}

void Server::onClose(const DidCloseTextDocumentParams &Asked) {
  Document *Its = find(Asked.textDocument.uri);
  if (!Its)
    return;
  publish(*Its, {});
  Documents.erase(Its->Uri.file().str());
}

//===--- Documents --------------------------------------------------------===//

Document *Server::find(const URIForFile &Uri) {
  const auto At = Documents.find(Uri.file().str());
  return At == Documents.end() ? nullptr : At->second.get();
}

/// Has what rests on \p Its text looked at again, once nobody types.
void Server::changed(Document &Its) {
  const std::string File = Its.Uri.file().str();
  for (const auto &[Path, Other] : Documents) {
    if (Other.get() != &Its && !Other->Files.count(File))
      continue;
    Other->Due = Clock::now() + Options.Quiet;
    Other->cancel(); // nobody wants to know that any more
  }
}

/// The path that the file system has for \p File.
static std::string realPath(llvm::StringRef File) {
  llvm::SmallString<256> Real;
  return llvm::sys::fs::real_path(File, Real) ? File.str() : Real.str().str();
}

void Server::ask(Document &Its) {
  Its.Due.reset();
  Question Asked;
  Asked.Uri = Its.Uri.uri().str();
  Asked.File = Its.Uri.file().str();
  Asked.Version = Its.Version;
  for (const auto &[File, Open] : Documents)
    for (const std::string &Path : {File, realPath(File)})
      Asked.Texts[Path] = Open->Text;
  if (Its.ask(Asked, Make, Options.MemoryLimit))
    return;
  Answer None;
  None.Version = Its.Version;
  None.Problem = Its.why();
  take(Its, std::move(None));
}

/// Asks about the documents that are due, as many as may be looked at.
void Server::askDue() {
  size_t Busy = 0;
  for (const auto &[File, Its] : Documents) {
    if (Its->isAsked() &&
        Clock::now() > *Its->askedSince() + Options.Patience) {
      Its->cancel();
      Answer None;
      None.Version = Its->Version;
      None.Problem = "the analysis did not end";
      take(*Its, std::move(None));
    }
    Busy += Its->isAsked();
  }
  for (const auto &[File, Its] : Documents)
    if (Busy < std::max(1u, Options.Jobs) && Its->Due && !Its->isAsked() &&
        *Its->Due <= Clock::now()) {
      ask(*Its);
      ++Busy;
    }
}

/// A remark on the whole document.
static json::Value remark(const std::string &Sentence) {
  Diagnostic D;
  D.range = Range(Position(0, 0));
  D.severity = DiagnosticSeverity::Information;
  D.source = "warpwise";
  D.message = json::fixUTF8(Sentence);
  return toJSON(D);
}

void Server::take(Document &Its, Answer What) {
  if (What.Version != Its.Version)
    return;
  if (What.Files)
    Its.Files = {What.Files->begin(), What.Files->end()};
  if (!What.Problem.empty() && !What.Diagnostics)
    What.Diagnostics.emplace();
  if (!What.Diagnostics)
    return;
  if (!What.Problem.empty())
    What.Diagnostics->push_back(remark(What.Problem));
  publish(Its, std::move(*What.Diagnostics));
}

void Server::publish(const Document &Its, json::Array Diagnostics) {
  Publish({json::Object{{"uri", Its.Uri.uri()},
                        {"version", Its.Version},
                        {"diagnostics", std::move(Diagnostics)}}});
}

} // namespace

int serve(const ServerOptions &Options, const MakeAnalyst &Make) {
  return Server(Options, Make).run();
}

} // namespace warpwise::lsp
