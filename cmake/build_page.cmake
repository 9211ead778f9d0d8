# Fetches the pinned packages into FOLDER, and makes FOLDER/page.js of SOURCE and them. A machine
# without a network builds everything else: what is missing is said, and tried again by the next build.

file(MAKE_DIRECTORY ${FOLDER})
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc DESTINATION ${FOLDER})
execute_process(
  COMMAND ${NPM} ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
  WORKING_DIRECTORY ${FOLDER} OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(WARNING "reports' figures are not interactive: npm ci failed in ${FOLDER}: ${said}")
  return()
endif()
# A page goes on with what it is made of, and so do the licences.
file(GLOB licences ${FOLDER}/node_modules/echarts/LICENSE ${FOLDER}/node_modules/echarts/NOTICE
  ${FOLDER}/node_modules/zrender/LICENSE ${FOLDER}/node_modules/tslib/LICENSE.txt)
set(banner "")
foreach(licence IN LISTS licences)
  file(READ ${licence} text)
  cmake_path(GET licence PARENT_PATH package)
  cmake_path(GET package FILENAME package)
  string(APPEND banner "${package}\n\n${text}\n")
endforeach()
string(REPLACE "*/" "* /" banner "${banner}")
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${FOLDER}/node_modules
    ${FOLDER}/node_modules/.bin/esbuild ${SOURCE}/page.js --bundle --minify --format=iife
    --target=es2020 --loader:.css=text --legal-comments=inline
    "--banner:js=/*! ${banner} */" --log-level=warning
    --outfile=${FOLDER}/page.js
  COMMAND_ERROR_IS_FATAL ANY)
