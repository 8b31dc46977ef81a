# SPDX-License-Identifier: MIT
#
# What the engine and the tests need from outside. flow needs nothing.
find_package(SDL2 REQUIRED)
find_package(PkgConfig REQUIRED)

# cglm has no CMake config. Only its inline functions are used, so that there is nothing to link but libm.
pkg_check_modules(CGLM REQUIRED cglm)
if(NOT TARGET cglm::headers)
    add_library(cglm::headers INTERFACE IMPORTED)
    target_include_directories(cglm::headers SYSTEM INTERFACE ${CGLM_INCLUDE_DIRS})
endif()

# cmocka 1.1.5 exports variables and no target; newer versions export a target of this name.
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
    find_package(cmocka REQUIRED)
    if(NOT TARGET cmocka::cmocka)
        add_library(cmocka::cmocka INTERFACE IMPORTED)
        target_include_directories(cmocka::cmocka SYSTEM INTERFACE ${CMOCKA_INCLUDE_DIR})
        target_link_libraries(cmocka::cmocka INTERFACE ${CMOCKA_LIBRARIES})
    endif()
    pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson)
endif()
