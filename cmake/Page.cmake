# Pages for a browser, from our scripts and packages of npm.
#
# `page` makes page/page.js of the build: the script that draws the figures of a report's page, of
# analysis/page/. Without it reports show their figures as pictures.
# `routes_page` makes map/ of the build: the page of `bellmark serve`, of harness/serve/page/.

find_program(BELLMARK_NODE node)
find_program(BELLMARK_NPM npm)

# bellmark_page(TARGET SOURCE FOLDER LACKING sentence SCRIPTS file... [MADE file...] [COPIED file...]
#               [OPTIONS option...] [DEPENDS file...]): FOLDER gets SOURCE's scripts as bundles, the files MADE,
# which esbuild writes beside them, and the files COPIED. Without npm the sentence LACKING is printed.
function(bellmark_page target source folder)
  cmake_parse_arguments(PARSE_ARGV 3 page "" "LACKING" "SCRIPTS;MADE;COPIED;OPTIONS;DEPENDS")
  if(NOT BELLMARK_NODE OR NOT BELLMARK_NPM)
    message(STATUS "  ${page_LACKING}: no node or npm (apt-get install nodejs npm)")
    add_custom_target(${target})
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${source}/*.js ${source}/*.css ${source}/*.html)
  set(made ${page_SCRIPTS} ${page_MADE} ${page_COPIED})
  list(TRANSFORM made PREPEND ${folder}/)
  add_custom_command(OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -DNPM=${BELLMARK_NPM} -DSOURCE=${source} -DFOLDER=${folder}
      -DPACKAGES=${folder}-packages "-DSCRIPTS=${page_SCRIPTS}" "-DCOPIED=${page_COPIED}"
      "-DOPTIONS=${page_OPTIONS}" "-DLACKING=${page_LACKING}" -P ${BELLMARK_ROOT}/cmake/build_page.cmake
    DEPENDS ${sources} ${page_DEPENDS} ${source}/package.json ${source}/package-lock.json
      ${BELLMARK_ROOT}/cmake/build_page.cmake
    COMMENT "Building ${target}"
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${made})
endfunction()

bellmark_page(page ${BELLMARK_ROOT}/analysis/page ${BELLMARK_BUILD}/page
  LACKING "reports' figures are not interactive"
  SCRIPTS page.js OPTIONS --loader:.css=text DEPENDS ${BELLMARK_ROOT}/analysis/colours.json)
bellmark_page(routes_page ${BELLMARK_ROOT}/harness/serve/page ${BELLMARK_BUILD}/map
  LACKING "bellmark serve has no page"
  SCRIPTS page.js roads_worker.js MADE page.css COPIED index.html OPTIONS --loader:.png=dataurl)

# If npm reached no registry there are no scripts, and nothing else is missing.
install(FILES ${BELLMARK_BUILD}/page/page.js DESTINATION analysis OPTIONAL)
install(DIRECTORY ${BELLMARK_BUILD}/map DESTINATION share/bellmark OPTIONAL)
