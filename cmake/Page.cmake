# The target `page` makes page/page.js of the build: the script that draws the figures of a report's
# page, of analysis/page/ and packages of npm. Without it reports show their figures as pictures.

find_program(BELLMARK_NODE node)
find_program(BELLMARK_NPM npm)
set(page_folder ${BELLMARK_BUILD}/page)
set(page_source ${BELLMARK_ROOT}/analysis/page)
if(BELLMARK_NODE AND BELLMARK_NPM)
  file(GLOB page_files CONFIGURE_DEPENDS ${page_source}/*.js ${page_source}/*.css)
  add_custom_command(OUTPUT ${page_folder}/page.js
    COMMAND ${CMAKE_COMMAND} -DNPM=${BELLMARK_NPM} -DSOURCE=${page_source} -DFOLDER=${page_folder}
      -P ${BELLMARK_ROOT}/cmake/build_page.cmake
    DEPENDS ${page_files} ${page_source}/package.json ${page_source}/package-lock.json
      ${BELLMARK_ROOT}/analysis/colours.json ${BELLMARK_ROOT}/cmake/build_page.cmake
    COMMENT "Building the script of a report's page"
    VERBATIM)
  add_custom_target(page ALL DEPENDS ${page_folder}/page.js)
  # Where npm reached no registry there is no script, and nothing else is missing.
  install(FILES ${page_folder}/page.js DESTINATION analysis OPTIONAL)
else()
  message(STATUS "  reports' figures are not interactive: no node or npm "
                 "(apt-get install nodejs npm)")
  add_custom_target(page)
endif()
