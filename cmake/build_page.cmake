# Fetches the pinned packages into PACKAGES, and makes FOLDER's scripts from SOURCE and them. A machine
# without a network builds everything else. The missing parts are reported, and the next build tries again.

file(MAKE_DIRECTORY ${FOLDER} ${PACKAGES})
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc DESTINATION ${PACKAGES})
execute_process(
  COMMAND ${NPM} ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
  WORKING_DIRECTORY ${PACKAGES} OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(WARNING "${LACKING}: npm ci failed in ${PACKAGES}: ${said}")
  return()
endif()
# The page contains these packages, so it carries their licences.
set(modules ${PACKAGES}/node_modules)
file(GLOB licences ${modules}/*/LICENSE ${modules}/*/LICENSE.txt ${modules}/*/NOTICE
  ${modules}/@*/*/LICENSE ${modules}/@*/*/LICENSE.txt)
list(FILTER licences EXCLUDE REGEX "/@?esbuild/")
set(banner "")
foreach(licence IN LISTS licences)
  file(READ ${licence} text)
  cmake_path(GET licence PARENT_PATH package)
  cmake_path(GET package FILENAME package)
  string(APPEND banner "${package}\n\n${text}\n")
endforeach()
string(REPLACE "*/" "* /" banner "${banner}")
list(TRANSFORM SCRIPTS PREPEND ${SOURCE}/ OUTPUT_VARIABLE entries)
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${modules}
    ${modules}/.bin/esbuild ${entries} --bundle --minify --format=iife --target=es2020 ${OPTIONS}
    --legal-comments=inline "--banner:js=/*! ${banner} */" --log-level=warning --outdir=${FOLDER}
  COMMAND_ERROR_IS_FATAL ANY)
foreach(file IN LISTS COPIED)
  file(COPY ${SOURCE}/${file} DESTINATION ${FOLDER})
  file(TOUCH ${FOLDER}/${file}) # the build compares times
endforeach()
