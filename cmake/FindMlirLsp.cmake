# MlirLsp::MlirLsp: MLIR's support library for language servers, the one that
# LLVM has. MLIR's own package file asks for all of MLIR's programs as well, so
# it is not used. Debian and Ubuntu: libmlir-19-dev.
find_path(MlirLsp_INCLUDE_DIR mlir/Tools/lsp-server-support/Transport.h
          HINTS ${LLVM_INCLUDE_DIRS})
find_library(MlirLsp_LIBRARY MLIRLspServerSupportLib HINTS ${LLVM_LIBRARY_DIRS})
find_library(MlirLsp_SUPPORT_LIBRARY MLIRSupport HINTS ${LLVM_LIBRARY_DIRS})
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  MlirLsp REQUIRED_VARS MlirLsp_LIBRARY MlirLsp_SUPPORT_LIBRARY
                        MlirLsp_INCLUDE_DIR)
if(MlirLsp_FOUND AND NOT TARGET MlirLsp::MlirLsp)
  add_library(MlirLsp::MlirLsp UNKNOWN IMPORTED)
  set_target_properties(
    MlirLsp::MlirLsp
    PROPERTIES IMPORTED_LOCATION "${MlirLsp_LIBRARY}"
               INTERFACE_INCLUDE_DIRECTORIES "${MlirLsp_INCLUDE_DIR}"
               INTERFACE_LINK_LIBRARIES "${MlirLsp_SUPPORT_LIBRARY};LLVM")
endif()
mark_as_advanced(MlirLsp_INCLUDE_DIR MlirLsp_LIBRARY MlirLsp_SUPPORT_LIBRARY)
