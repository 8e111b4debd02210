//===- Manual.cpp - The manual page ---------------------------------------===//

#include "analyzer/tool/reference/Manual.h"

#include <fmt/format.h>

namespace warpwise::tool {

/// Text that groff takes as it is.
static std::string roff(llvm::StringRef Text) {
  std::string Result;
  for (const char C : Text)
    switch (C) {
    case '\\':
      Result += "\\e";
      break;
    case '-':
      Result += "\\-";
      break;
    case '\'':
      Result += "\\(aq";
      break;
    case '.':
      Result += Result.empty() ? "\\&." : ".";
      break;
    default:
      Result += C;
    }
  return Result;
}

static std::string option(const OptionEntry &Option) {
  std::string Text = fmt::format(".TP\n\\fB{}\\fR", roff(Option.spelling()));
  if (!Option.Value.empty())
    Text += fmt::format("=\\fI{}\\fR", roff(Option.Value));
  Text += "\n" + roff(Option.Help);
  for (size_t N = 0; N != Option.Words.size(); ++N)
    Text += fmt::format("{} \\fB{}\\fR ({})", N == 0 ? ":" : ",",
                        roff(Option.Words[N].Name), roff(Option.Words[N].Help));
  return Text + ".\n";
}

static std::string command(const CommandEntry &Its) {
  std::string Text = fmt::format(".SS \"warpwise {}\"\n{}.\n", roff(Its.Name),
                                 roff(Its.Summary));
  if (!Its.Arguments.empty())
    Text += fmt::format(".PP\nArguments: {}\n", roff(Its.Arguments));
  if (Its.IsForeign)
    return Text + fmt::format(".PP\nIts options: \\fBwarpwise {} "
                              "\\-\\-help\\fR.\n",
                              roff(Its.Name));
  for (const OptionEntry &Each : Its.Options)
    Text += option(Each);
  return Text;
}

std::string manualPage(const std::vector<CommandEntry> &Commands,
                       llvm::StringRef Version) {
  std::string Text = fmt::format(
      ".TH WARPWISE 1 \"\" \"Warpwise {}\" \"User Commands\"\n", roff(Version));
  Text += R"(.SH NAME
warpwise \- predict what each memory access of a CUDA kernel costs
.SH SYNOPSIS
.B warpwise
.I command
.RI [ options ]
.RI [ "files and folders" ]
.RB [ \-\-
.IR "compiler flags" ]
.SH DESCRIPTION
Reads CUDA source the way the hardware will: warp by warp. Says what memory
accesses cost on a measured GPU, why, and what to do about it. No GPU is needed.
.PP
Without options that name a GPU, the device profile is that of this machine's
GPU if one was measured, else the one for the architecture that is compiled for,
else that of the NVIDIA H200. The first line of the output says which.
.SH COMMANDS
)";
  for (const CommandEntry &Each : Commands)
    Text += command(Each);
  return Text + R"(.SH EXIT STATUS
.TP
0
Done, with or without findings.
.TP
1
A finding that \fB\-\-fail\-on\fR asks for.
.TP
2
An error, a kernel that does not compile, or a run that was interrupted.
.SH FILES
.TP
.I .warpwise
What a project says about itself, in its folder or above.
.TP
.I compile_commands.json
How its files are compiled.
.TP
.I ~/.local/share/warpwise/profiles
Device profiles that were measured here (below \fBXDG_DATA_HOME\fR).
.SH ENVIRONMENT
.TP
.BR CUDA_PATH ", " CUDA_HOME
The CUDA toolkit, where \fB\-\-cuda\-path\fR does not say it.
.SH EXAMPLES
.nf
warpwise check kernel.cu
warpwise check \-p build src \-\-format=html \-\-output=report.html
warpwise explain cuda\-memory\-bank\-conflict
.fi
)";
}

} // namespace warpwise::tool
