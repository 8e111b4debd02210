//===- Server.cpp - The language server -----------------------------------===//

#include "analyzer/lsp/Server.h"

#include "analyzer/lsp/Document.h"
#include "analyzer/lsp/MessageReader.h"
#include "analyzer/lsp/Messages.h"
#include "analyzer/lsp/Positions.h"

#include "mlir/Tools/lsp-server-support/Logging.h"
#include "mlir/Tools/lsp-server-support/Transport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <map>
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
  void onInitialized(const NoParams &);
  void onInitialize(const Any &Asked, Callback<json::Value> Reply);
  void onShutdown(const NoParams &, Callback<std::nullptr_t> Reply);
  void onIgnored(const NoParams &) {}
  void onCancel(const Any &Asked);
  void onOpen(const DidOpenTextDocumentParams &Asked);
  void onChange(const DidChangeTextDocumentParams &Asked);
  void onSave(const DidSave &Asked);
  void onClose(const DidCloseTextDocumentParams &Asked);
  void onConfiguration(const Any &Asked);
  void onWatchedFiles(const NoParams &);
  void onHover(const TextDocumentPositionParams &Asked,
               Callback<json::Value> Reply);
  void onCodeAction(const Any &Asked, Callback<json::Value> Reply);
  void onInlayHint(const InlayHintsParams &Asked, Callback<json::Value> Reply);

  // What the server asks of the editor.
  void request(llvm::StringLiteral Method, json::Value Parameters,
               const std::function<void(const json::Value &)> &Then);
  void askForSettings();
  void use(json::Value NewSettings);
  void showProgress(Document &Its, bool IsDone);

  // Requests that wait until enough is known.
  using Answerer = llvm::unique_function<void(llvm::Error)>;
  void whenKnown(Document &Its, Document::Known Needed, Answerer Answer);
  void settle(llvm::function_ref<bool(const std::string &Id, Document *Of,
                                      Document::Known Needed)>
                  Which,
              std::optional<ErrorCode> Instead = std::nullopt);
  void settleAll(Document &Its, ErrorCode Instead);

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
  OutgoingNotification<Any> Publish, Progress, Status;
  /// By the path of their file.
  std::map<std::string, std::unique_ptr<Document>> Documents;
  struct Waiting {
    std::string Id;
    Document *Of;
    Document::Known Needed;
    Answerer Answer;
  };
  std::vector<Waiting> Pending;
  std::string CurrentId; ///< of the request that is being handled
  json::Value Settings = nullptr;
  struct {
    bool Configuration = false, Watch = false, Progress = false, Status = false,
         RefreshesHints = false;
  } Editor; ///< what it can do
  int64_t Requests = 0, ProgressTokens = 0;
  enum class Phase { Unknown, Serving, ShutDown, Left } Now = Phase::Unknown;
};

Server::Server(const ServerOptions &Options, const MakeAnalyst &Make)
    : Options(Options), Make(Make), Out(stdin, llvm::outs()), Handler(Out) {
  Logger::setLogLevel(Logger::Level::Error);
  Handler.method("initialize", this, &Server::onInitialize);
  Handler.method("shutdown", this, &Server::onShutdown);
  Handler.method("textDocument/hover", this, &Server::onHover);
  Handler.method("textDocument/codeAction", this, &Server::onCodeAction);
  Handler.method("textDocument/inlayHint", this, &Server::onInlayHint);
  Handler.notification("initialized", this, &Server::onInitialized);
  Handler.notification("$/setTrace", this, &Server::onIgnored);
  Handler.notification("$/cancelRequest", this, &Server::onCancel);
  Handler.notification("window/workDoneProgress/cancel", this,
                       &Server::onIgnored);
  Handler.notification("workspace/didChangeConfiguration", this,
                       &Server::onConfiguration);
  Handler.notification("workspace/didChangeWatchedFiles", this,
                       &Server::onWatchedFiles);
  Handler.notification("textDocument/didOpen", this, &Server::onOpen);
  Handler.notification("textDocument/didChange", this, &Server::onChange);
  Handler.notification("textDocument/didSave", this, &Server::onSave);
  Handler.notification("textDocument/didClose", this, &Server::onClose);
  Publish =
      Handler.outgoingNotification<Any>("textDocument/publishDiagnostics");
  Progress = Handler.outgoingNotification<Any>("$/progress");
  Status = Handler.outgoingNotification<Any>("warpwise/status");
}

//===--- The loop ---------------------------------------------------------===//

/// How long nothing happens unless somebody says something.
milliseconds Server::patience() const {
  auto Next = Clock::now() + std::chrono::hours(1);
  for (const auto &[File, Its] : Documents) {
    if (Its->Due && !Its->isAsked())
      Next = std::min(Next, *Its->Due);
    if (Its->isAsked())
      Next = std::min(Next, *Its->askedSince() +
                                (Its->ProgressToken || !Editor.Progress
                                     ? Options.Patience
                                     : Options.Unnoticed));
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

/// An id as text, by which it is found again.
static std::string spell(const json::Value &Id) {
  std::string Text;
  llvm::raw_string_ostream(Text) << Id;
  return Text;
}

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
  CurrentId = spell(Id);
  if (!Handler.onCall(Method, std::move(Parameters), std::move(Id)))
    Now = Phase::Left;
}

void Server::onInitialize(const Any &Asked, Callback<json::Value> Reply) {
  Now = Phase::Serving;
  const auto Can = [&](llvm::StringRef Group, llvm::StringRef What,
                       llvm::StringRef How = {}) {
    const json::Object *In = Asked.Value.getAsObject();
    for (const llvm::StringRef Name : {llvm::StringRef("capabilities"), Group})
      In = In ? In->getObject(Name) : nullptr;
    if (In && !How.empty())
      return (In = In->getObject(What)) && In->getBoolean(How).value_or(false);
    return In && In->getBoolean(What).value_or(false);
  };
  Editor.Configuration = Can("workspace", "configuration");
  Editor.Watch =
      Can("workspace", "didChangeWatchedFiles", "dynamicRegistration");
  Editor.Progress = Can("window", "workDoneProgress");
  Editor.RefreshesHints = Can("workspace", "inlayHint", "refreshSupport");
  if (const json::Object *Given = Asked.Value.getAsObject())
    if (const json::Object *Own = Given->getObject("initializationOptions")) {
      Settings = json::Object(*Own);
      Editor.Status = Own->getBoolean("status").value_or(false);
    }
  Reply(json::Object{
      {"capabilities",
       json::Object{
           {"positionEncoding", "utf-16"},
           {"textDocumentSync",
            json::Object{{"openClose", true},
                         {"change", int(TextDocumentSyncKind::Incremental)},
                         {"save", true}}},
           {"hoverProvider", true},
           {"inlayHintProvider", true},
           {"codeActionProvider",
            json::Object{{"codeActionKinds",
                          json::Array{"quickfix", "source.fixAll.warpwise"}}}},
       }},
      {"serverInfo",
       json::Object{{"name", "warpwise"}, {"version", Options.Version}}}});
}

void Server::onInitialized(const NoParams &) {
  if (Editor.Watch) {
    json::Array Watchers;
    for (const char *Glob : {"**/compile_commands.json", "**/.warpwise",
                             "**/*.{cu,cuh,h,hpp,hh,inl}"})
      Watchers.push_back(json::Object{{"globPattern", Glob}});
    request(
        "client/registerCapability",
        json::Object{{"registrations",
                      json::Array{json::Object{
                          {"id", "files"},
                          {"method", "workspace/didChangeWatchedFiles"},
                          {"registerOptions",
                           json::Object{{"watchers", std::move(Watchers)}}}}}}},
        [](const json::Value &) {});
  }
  askForSettings();
}

void Server::onCancel(const Any &Asked) {
  const json::Object *Given = Asked.Value.getAsObject();
  const json::Value *Id = Given ? Given->get("id") : nullptr;
  if (Id)
    settle([Its = spell(*Id)](const std::string &Other, Document *,
                              Document::Known) { return Other == Its; },
           ErrorCode::RequestCancelled);
}

void Server::onShutdown(const NoParams &, Callback<std::nullptr_t> Reply) {
  Now = Phase::ShutDown;
  settle([](const std::string &, Document *, Document::Known) { return true; },
         ErrorCode::RequestCancelled);
  Documents.clear();
  Reply(nullptr);
}

void Server::onOpen(const DidOpenTextDocumentParams &Asked) {
  const TextDocumentItem &Item = Asked.textDocument;
  if (Document *Before = find(Item.uri))
    settleAll(*Before, ErrorCode::ContentModified);
  auto &Its = Documents[Item.uri.file().str()];
  Its = std::make_unique<Document>(Item.uri, Item.text, Item.version);
  Its->Due = Clock::now();
  // What is opened may not be what lies on the disk.
  for (const auto &[File, Other] : Documents)
    if (Other->MissesFiles || Other->Files.count(Item.uri.file().str()))
      Other->outdate(Clock::now());
}

void Server::onChange(const DidChangeTextDocumentParams &Asked) {
  Document *Its = find(Asked.textDocument.uri);
  if (!Its)
    return;
  applyChanges(Its->Text, Asked.contentChanges);
  Its->Version = Asked.textDocument.version;
  changed(*Its);
}

void Server::onSave(const DidSave &) {
  // Files that are not open may launch kernels of those that are.
  for (const auto &[File, Its] : Documents)
    Its->outdate(Clock::now() + Options.Quiet);
}

void Server::onWatchedFiles(const NoParams &) {
  for (const auto &[File, Its] : Documents)
    Its->outdate(Clock::now() + Options.Quiet);
}

void Server::onClose(const DidCloseTextDocumentParams &Asked) {
  Document *Its = find(Asked.textDocument.uri);
  if (!Its)
    return;
  settleAll(*Its, ErrorCode::ContentModified);
  showProgress(*Its, /*IsDone=*/true);
  publish(*Its, {});
  const std::string Closed = Its->Uri.file().str();
  Documents.erase(Closed);
  // They read what lies on the disk again.
  for (const auto &[File, Other] : Documents)
    if (Other->Files.count(Closed))
      Other->outdate(Clock::now() + Options.Quiet);
}

//===--- Documents --------------------------------------------------------===//

Document *Server::find(const URIForFile &Uri) {
  const auto At = Documents.find(Uri.file().str());
  return At == Documents.end() ? nullptr : At->second.get();
}

/// Has what rests on \p Its text looked at again: at once after a while in
/// which nobody has typed, else when there is one. A look that somebody types
/// into has cost nobody anything; not to begin it would cost every single edit
/// the wait.
void Server::changed(Document &Its) {
  const std::string File = Its.Uri.file().str();
  const Clock::time_point Time = Clock::now();
  const bool IsBurst = Time < Its.Changed + Options.Quiet;
  Its.Changed = Time;
  for (const auto &[Path, Other] : Documents) {
    if (Other.get() != &Its && !Other->Files.count(File))
      continue;
    settleAll(*Other, ErrorCode::ContentModified);
    Other->outdate(IsBurst ? Time + Options.Quiet : Time);
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
  Asked.Settings = Settings;
  for (const auto &[File, Open] : Documents)
    for (const std::string &Path : {File, realPath(File)})
      Asked.Texts[Path] = Open->Text;
  if (Its.ask(Asked, Make, Options.MemoryLimit))
    return;
  Answer None;
  None.Version = Its.Version;
  None.Problem = Its.why();
  None.IsLast = true;
  take(Its, std::move(None));
}

/// Asks about the documents that are due, as many as may be looked at.
void Server::askDue() {
  size_t Busy = 0;
  for (const auto &[File, Its] : Documents) {
    if (Its->isAsked() &&
        Clock::now() > *Its->askedSince() + Options.Patience) {
      Its->forget();
      Answer None;
      None.Version = Its->Version;
      None.IsLast = true;
      None.Problem = "the analysis did not end";
      take(*Its, std::move(None));
    }
    if (Its->isAsked() && Clock::now() > *Its->askedSince() + Options.Unnoticed)
      showProgress(*Its, /*IsDone=*/false);
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
  if (What.Version != Its.Version || Its.Due)
    return; // it is outdated
  if (What.Files)
    Its.Files = {What.Files->begin(), What.Files->end()};
  Its.MissesFiles |= What.MissesFiles;
  const bool HasRemarks = What.Remarks.has_value();
  if (HasRemarks)
    Its.Remarks = std::move(*What.Remarks);
  if (What.Actions)
    Its.Actions = std::move(*What.Actions);
  if (!What.Problem.empty()) {
    if (!What.Diagnostics)
      What.Diagnostics.emplace();
    What.Diagnostics->push_back(remark(What.Problem));
  }
  if (Editor.Status && !What.Profile.empty())
    Status({json::Object{{"uri", Its.Uri.uri()}, {"profile", What.Profile}}});
  if (What.Diagnostics)
    publish(Its, std::move(*What.Diagnostics));
  if (What.IsLast)
    Its.Has = Document::Known::All;
  else if (HasRemarks)
    Its.Has = Document::Known::Shown;
  if (What.IsLast)
    showProgress(Its, /*IsDone=*/true);
  settle([&](const std::string &, Document *Of, Document::Known Needed) {
    return Of == &Its && Needed <= Its.Has;
  });
}

void Server::publish(const Document &Its, json::Array Diagnostics) {
  Publish({json::Object{{"uri", Its.Uri.uri()},
                        {"version", Its.Version},
                        {"diagnostics", std::move(Diagnostics)}}});
}

//===--- What the editor asks ---------------------------------------------===//

void Server::whenKnown(Document &Its, Document::Known Needed, Answerer Answer) {
  if (Needed <= Its.Has)
    Answer(llvm::Error::success());
  else
    Pending.push_back({CurrentId, &Its, Needed, std::move(Answer)});
}

/// Answers the requests that are meant, with an error where one is given.
void Server::settle(
    llvm::function_ref<bool(const std::string &, Document *, Document::Known)>
        Which,
    std::optional<ErrorCode> Instead) {
  std::vector<Waiting> Before = std::move(Pending);
  Pending.clear();
  for (Waiting &W : Before)
    if (!Which(W.Id, W.Of, W.Needed))
      Pending.push_back(std::move(W));
    else if (Instead)
      W.Answer(failure(*Instead, *Instead == ErrorCode::RequestCancelled
                                     ? "cancelled"
                                     : "the document has changed"));
    else
      W.Answer(llvm::Error::success());
}

void Server::settleAll(Document &Its, ErrorCode Instead) {
  settle([&](const std::string &, Document *Of,
             Document::Known) { return Of == &Its; },
         Instead);
}

static bool overlap(const Range &A, const Range &B) {
  return A.start <= B.end && B.start <= A.end;
}

/// The range in a value of the protocol.
static Range rangeIn(const json::Value *From) {
  Range Its;
  json::Path::Root Root("range");
  if (!From || !fromJSON(*From, Its, Root))
    return Range(Position(-1, 0));
  return Its;
}

void Server::onHover(const TextDocumentPositionParams &Asked,
                     Callback<json::Value> Reply) {
  Document *Its = find(Asked.textDocument.uri);
  if (!Its)
    return Reply(json::Value(nullptr));
  whenKnown(
      *Its, Document::Known::Shown,
      [Its, Where = Asked.position,
       Reply = std::move(Reply)](llvm::Error Problem) mutable {
        if (Problem)
          return Reply(std::move(Problem));
        // Of kernels that share a line, the first few.
        constexpr unsigned Most = 3;
        unsigned Count = 0;
        std::string Text;
        Range Covered;
        for (const Remark &R : Its->Remarks) {
          const Range Over = rangeIn(&R.Range);
          if (!overlap(Over, Range(Where)) || Count == Most)
            continue;
          if (Count++ == 0)
            Covered = Over;
          else
            Text += "\n---\n";
          Text += R.Markdown;
        }
        if (Count == 0)
          return Reply(json::Value(nullptr));
        Reply(json::Value(json::Object{
            {"contents", json::Object{{"kind", "markdown"}, {"value", Text}}},
            {"range", toJSON(Covered)}}));
      });
}

/// Whether the editor wants actions of \p Kind.
static bool isWanted(llvm::StringRef Kind, const json::Object *Context) {
  const json::Array *Only = Context ? Context->getArray("only") : nullptr;
  if (!Only)
    return true;
  for (const json::Value &Wanted : *Only) {
    llvm::StringRef Rest = Kind;
    if (Rest.consume_front(Wanted.getAsString().value_or("?")) &&
        (Rest.empty() || Rest.starts_with(".")))
      return true;
  }
  return false;
}

void Server::onCodeAction(const Any &Asked, Callback<json::Value> Reply) {
  CodeActionParams Parameters;
  json::Path::Root Root("codeAction");
  if (!fromJSON(Asked.Value, Parameters, Root))
    return Reply(
        failure(ErrorCode::InvalidParams, llvm::toString(Root.getError())));
  Document *Its = find(Parameters.textDocument.uri);
  if (!Its)
    return Reply(json::Value(json::Array()));
  whenKnown(*Its, Document::Known::All,
            [Its, Parameters = Asked.Value, At = Parameters.range,
             Reply = std::move(Reply)](llvm::Error Problem) mutable {
              if (Problem)
                return Reply(std::move(Problem));
              const json::Object *Context =
                  Parameters.getAsObject()->getObject("context");
              json::Array Offered;
              for (const json::Value &Action : Its->Actions) {
                const json::Object &Whole = *Action.getAsObject();
                const json::Value *Place = Whole.get("range");
                if (!isWanted(Whole.getString("kind").value_or(""), Context) ||
                    (Place && !overlap(rangeIn(Place), At)))
                  continue;
                // Not erased from a copy: in LLVM 19 what is erased comes back,
                // as garbage, when that is copied.
                json::Object One;
                for (const auto &[Name, Member] : Whole)
                  if (Name != "range")
                    One[Name] = Member;
                Offered.push_back(std::move(One));
              }
              Reply(json::Value(std::move(Offered)));
            });
}

/// What the accesses of each line cost, behind it, where the user wants that.
static json::Array hintsOf(const Document &Its, const Range &Wanted) {
  std::map<int, std::vector<std::string>> Labels;
  for (const Remark &R : Its.Remarks) {
    const int Line = rangeIn(&R.Range).start.line;
    if (R.Label.empty() || Line < Wanted.start.line || Line > Wanted.end.line)
      continue;
    std::vector<std::string> &There = Labels[Line];
    if (!llvm::is_contained(There, R.Label))
      There.push_back(R.Label);
  }
  const Lines Text(Its.Text);
  json::Array Hints;
  for (const auto &[Line, All] : Labels) {
    const Position End(Line, std::numeric_limits<int>::max());
    Hints.push_back(
        json::Object{{"position", toJSON(Text.positionOf(Text.offsetOf(End)))},
                     {"label", llvm::join(All, ", ")},
                     {"paddingLeft", true}});
  }
  return Hints;
}

void Server::onInlayHint(const InlayHintsParams &Asked,
                         Callback<json::Value> Reply) {
  Document *Its = find(Asked.textDocument.uri);
  const json::Object *Own = Settings.getAsObject();
  if (!Its || !Own || !Own->getBoolean("inlayHints").value_or(false))
    return Reply(json::Value(json::Array()));
  whenKnown(*Its, Document::Known::Shown,
            [Its, Wanted = Asked.range,
             Reply = std::move(Reply)](llvm::Error Problem) mutable {
              if (Problem)
                return Reply(std::move(Problem));
              Reply(json::Value(hintsOf(*Its, Wanted)));
            });
}

//===--- What the server asks ---------------------------------------------===//

void Server::request(llvm::StringLiteral Method, json::Value Parameters,
                     const std::function<void(const json::Value &)> &Then) {
  auto Ask = Handler.outgoingRequest<Any, Any>(
      Method, [Then](const json::Value &, llvm::Expected<Any> Says) {
        if (Says)
          Then(Says->Value);
        else
          llvm::consumeError(Says.takeError()); // it does without
      });
  Ask({std::move(Parameters)}, ++Requests);
}

void Server::askForSettings() {
  if (Editor.Configuration)
    request("workspace/configuration",
            json::Object{
                {"items", json::Array{json::Object{{"section", "warpwise"}}}}},
            [this](const json::Value &Says) {
              const json::Array *All = Says.getAsArray();
              if (All && !All->empty() && All->front().getAsObject())
                use(All->front());
            });
}

void Server::onConfiguration(const Any &Asked) {
  if (Editor.Configuration)
    return askForSettings();
  const json::Object *Given = Asked.Value.getAsObject();
  const json::Object *All = Given ? Given->getObject("settings") : nullptr;
  if (const json::Object *Own = All ? All->getObject("warpwise") : nullptr)
    use(json::Object(*Own));
}

/// Judges by other settings from now on.
void Server::use(json::Value NewSettings) {
  if (NewSettings == Settings)
    return;
  Settings = std::move(NewSettings);
  for (const auto &[File, Its] : Documents)
    Its->outdate(Clock::now());
  if (Editor.RefreshesHints)
    request("workspace/inlayHint/refresh", nullptr, [](const json::Value &) {});
}

/// Shows that the document is being looked at, or no longer.
void Server::showProgress(Document &Its, bool IsDone) {
  if (!Editor.Progress || IsDone != (Its.ProgressToken != 0))
    return;
  const std::string Name = llvm::sys::path::filename(Its.Uri.file()).str();
  json::Object Value{{"kind", IsDone ? "end" : "begin"}};
  if (!IsDone) {
    Its.ProgressToken = ++ProgressTokens;
    request("window/workDoneProgress/create",
            json::Object{{"token", Its.ProgressToken}},
            [](const json::Value &) {});
    Value["title"] = "Warpwise: " + Name;
  }
  Progress({json::Object{{"token", Its.ProgressToken},
                         {"value", std::move(Value)}}});
  if (IsDone)
    Its.ProgressToken = 0;
}

} // namespace

int serve(const ServerOptions &Options, const MakeAnalyst &Make) {
  return Server(Options, Make).run();
}

} // namespace warpwise::lsp
