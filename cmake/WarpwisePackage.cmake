# What `cmake --install` puts where, and packages of it. The tree can be moved:
# the programs find each other, and the pages of the rules, from where they are;
# profiles and headers are inside of them.
include(GNUInstallDirs)
set(doc "${CMAKE_INSTALL_DATAROOTDIR}/doc/warpwise")

install(TARGETS warpwise warpwise_profile_tool
        RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(TARGET warpwise-tidy)
  install(TARGETS warpwise-tidy LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()

# What is in every program, to read and to copy from.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/profiler/profiles"
        DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/warpwise"
        FILES_MATCHING PATTERN "*.json")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/rules" DESTINATION "${doc}"
        FILES_MATCHING
        PATTERN "README.md"
        PATTERN "test" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${doc}"
        FILES_MATCHING PATTERN "*.md" PATTERN "*.lua" PATTERN "*.el")
install(FILES README.md CHANGELOG.md DESTINATION "${doc}")
install(FILES LICENSE DESTINATION "${doc}" RENAME copyright)

# warpwise_print(FILE FOLDER WORDS...): a file that the program prints.
set(printed "${PROJECT_BINARY_DIR}/reference")
function(warpwise_print file folder)
  add_custom_command(
    OUTPUT "${printed}/${file}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${printed}"
    COMMAND warpwise ${ARGN} > "${printed}/${file}"
    DEPENDS warpwise
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY warpwise_printed "${printed}/${file}")
  install(FILES "${printed}/${file}" DESTINATION "${folder}")
endfunction()
warpwise_print(warpwise.1 "${CMAKE_INSTALL_MANDIR}/man1" manual)
warpwise_print(warpwise "${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions"
               completion bash)
warpwise_print(_warpwise "${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions"
               completion zsh)
warpwise_print(warpwise.fish
               "${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d"
               completion fish)
get_property(all GLOBAL PROPERTY warpwise_printed)
add_custom_target(warpwise_reference ALL DEPENDS ${all})

set(CPACK_PACKAGE_NAME warpwise)
set(CPACK_PACKAGE_VENDOR "The Warpwise developers")
set(CPACK_PACKAGE_CONTACT "The Warpwise developers <warpwise@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "memory optimisation advisor for CUDA kernels")
set(CPACK_PACKAGE_DESCRIPTION
    "Reads CUDA source the way the hardware will, warp by warp: says what memory
accesses cost on a measured GPU, why, and what to do about it. With a module for
clang-tidy-19 and a language server. No GPU is needed.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR TGZ)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Headers, without which Clang reads no CUDA: its own, and those of C and C++.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libclang-common-19-dev, libc6-dev | libc-dev, libstdc++-12-dev | libstdc++-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang-tidy-19, clang-tools-19, ninja-build")
# `cmake --install` and cpack take what was built, they build nothing.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
