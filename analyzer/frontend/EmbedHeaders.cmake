# Writes OUTPUT, a C++ file with the text of every file below FOLDER.
# Run as a script: cmake -DFOLDER=... -DOUTPUT=... -P EmbedHeaders.cmake
file(GLOB_RECURSE headers RELATIVE "${FOLDER}" "${FOLDER}/*")
list(SORT headers)

set(entries "")
foreach(header IN LISTS headers)
  file(READ "${FOLDER}/${header}" text)
  string(APPEND entries
         "    {\"${header}\", R\"warpwise(${text})warpwise\"},\n")
endforeach()

file(WRITE "${OUTPUT}"
     "#include \"analyzer/frontend/EmbeddedHeaders.h\"\n\n"
     "namespace warpwise::frontend {\n\n"
     "llvm::ArrayRef<EmbeddedHeader> embeddedHeaders() {\n"
     "  static const EmbeddedHeader Headers[] = {\n${entries}  };\n"
     "  return Headers;\n}\n\n"
     "} // namespace warpwise::frontend\n")
