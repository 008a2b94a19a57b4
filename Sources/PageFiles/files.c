#include "files.h"

// Known to clang 19 and later; the files become parts of the build's dependencies.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE_OF_PAGE(name, text) {text, name, sizeof name}

#include "land.h"

static const unsigned char index_html[] = {
#embed "web/index.html"
};
static const unsigned char page_css[] = {
#embed "web/page.css"
};
static const unsigned char main_js[] = {
#embed "web/main.js"
};
static const unsigned char api_js[] = {
#embed "web/api.js"
};
static const unsigned char client_js[] = {
#embed "web/client.js"
};
static const unsigned char client_d_ts[] = {
#embed "web/client.d.ts"
};
static const unsigned char dom_js[] = {
#embed "web/dom.js"
};
static const unsigned char map_js[] = {
#embed "web/map.js"
};
static const unsigned char land_js[] = {
#embed "web/land.js"
};
static const unsigned char areas_js[] = {
#embed "web/areas.js"
};
static const unsigned char fence_card_js[] = {
#embed "web/fence-card.js"
};
static const unsigned char fences_js[] = {
#embed "web/fences.js"
};
static const unsigned char follow_js[] = {
#embed "web/follow.js"
};
static const unsigned char lines_js[] = {
#embed "web/lines.js"
};
static const unsigned char names_js[] = {
#embed "web/names.js"
};
static const unsigned char in_view_js[] = {
#embed "web/in-view.js"
};
static const unsigned char live_js[] = {
#embed "web/live.js"
};
static const unsigned char share_box_js[] = {
#embed "web/share-box.js"
};
static const unsigned char suggest_js[] = {
#embed "web/suggest.js"
};
static const unsigned char person_js[] = {
#embed "web/person.js"
};
static const unsigned char service_js[] = {
#embed "web/service.js"
};
static const unsigned char near_js[] = {
#embed "web/near.js"
};
static const unsigned char card_js[] = {
#embed "web/card.js"
};
static const unsigned char city_js[] = {
#embed "web/city.js"
};
static const unsigned char filters_js[] = {
#embed "web/filters.js"
};
static const unsigned char hours_js[] = {
#embed "web/hours.js"
};
static const unsigned char locate_js[] = {
#embed "web/locate.js"
};
static const unsigned char person_card_js[] = {
#embed "web/person-card.js"
};
static const unsigned char place_card_js[] = {
#embed "web/place-card.js"
};
static const unsigned char photos_js[] = {
#embed "web/photos.js"
};
static const unsigned char places_js[] = {
#embed "web/places.js"
};
static const unsigned char rights_js[] = {
#embed "web/rights.js"
};
static const unsigned char search_js[] = {
#embed "web/search.js"
};
static const unsigned char sheet_js[] = {
#embed "web/sheet.js"
};
static const unsigned char connection_js[] = {
#embed "web/connection.js"
};
static const unsigned char crowd_js[] = {
#embed "web/crowd.js"
};
static const unsigned char watch_js[] = {
#embed "web/watch.js"
};
static const unsigned char tour_js[] = {
#embed "web/tour.js"
};
static const unsigned char edges_js[] = {
#embed "web/edges.js"
};
static const unsigned char touch_css[] = {
#embed "web/touch.css"
};
static const unsigned char office_about_js[] = {
#embed "web/office-about.js"
};
static const unsigned char office_rows_js[] = {
#embed "web/office-rows.js"
};
static const unsigned char settings_js[] = {
#embed "web/settings.js"
};
static const unsigned char pins_js[] = {
#embed "web/pins.js"
};
static const unsigned char values_js[] = {
#embed "web/values.js"
};
static const unsigned char stock_js[] = {
#embed "web/stock.js"
};
static const unsigned char wish_js[] = {
#embed "web/wish.js"
};
static const unsigned char words_js[] = {
#embed "web/words.js"
};
static const unsigned char en_js[] = {
#embed "web/en.js"
};
static const unsigned char es_js[] = {
#embed "web/es.js"
};
static const unsigned char share_html[] = {
#embed "web/share.html"
};
static const unsigned char share_js[] = {
#embed "web/share.js"
};
static const unsigned char docs_html[] = {
#embed "web/docs.html"
};
static const unsigned char docs_css[] = {
#embed "web/docs.css"
};
static const unsigned char docs_js[] = {
#embed "web/docs.js"
};
static const unsigned char office_css[] = {
#embed "web/office.css"
};
static const unsigned char office_js[] = {
#embed "web/office.js"
};
static const unsigned char office_code_js[] = {
#embed "web/office-code.js"
};
static const unsigned char office_deliveries_js[] = {
#embed "web/office-deliveries.js"
};
static const unsigned char office_devices_js[] = {
#embed "web/office-devices.js"
};
static const unsigned char office_document_js[] = {
#embed "web/office-document.js"
};
static const unsigned char office_en_js[] = {
#embed "web/office-en.js"
};
static const unsigned char office_es_js[] = {
#embed "web/office-es.js"
};
static const unsigned char office_form_js[] = {
#embed "web/office-form.js"
};
static const unsigned char office_import_js[] = {
#embed "web/office-import.js"
};
static const unsigned char office_installation_js[] = {
#embed "web/office-installation.js"
};
static const unsigned char office_kinds_js[] = {
#embed "web/office-kinds.js"
};
static const unsigned char office_table_js[] = {
#embed "web/office-table.js"
};
static const unsigned char swagger_ui_js_gz[] = {
#embed "swagger-ui/swagger-ui.js.gz"
};
static const unsigned char swagger_ui_css_gz[] = {
#embed "swagger-ui/swagger-ui.css.gz"
};
static const unsigned char examples_json[] = {
#embed "examples.json"
};

static const struct cerca_page_file files[] = {
    FILE_OF_PAGE(index_html, "index.html"),
    FILE_OF_PAGE(page_css, "page.css"),
    FILE_OF_PAGE(main_js, "main.js"),
    FILE_OF_PAGE(api_js, "api.js"),
    FILE_OF_PAGE(client_js, "client.js"),
    FILE_OF_PAGE(client_d_ts, "client.d.ts"),
    FILE_OF_PAGE(dom_js, "dom.js"),
    FILE_OF_PAGE(map_js, "map.js"),
    FILE_OF_PAGE(land_js, "land.js"),
    FILE_OF_PAGE(near_js, "near.js"),
    FILE_OF_PAGE(areas_js, "areas.js"),
    FILE_OF_PAGE(fence_card_js, "fence-card.js"),
    FILE_OF_PAGE(fences_js, "fences.js"),
    FILE_OF_PAGE(follow_js, "follow.js"),
    FILE_OF_PAGE(lines_js, "lines.js"),
    FILE_OF_PAGE(names_js, "names.js"),
    FILE_OF_PAGE(in_view_js, "in-view.js"),
    FILE_OF_PAGE(live_js, "live.js"),
    FILE_OF_PAGE(share_box_js, "share-box.js"),
    FILE_OF_PAGE(suggest_js, "suggest.js"),
    FILE_OF_PAGE(person_js, "person.js"),
    FILE_OF_PAGE(service_js, "service.js"),
    FILE_OF_PAGE(card_js, "card.js"),
    FILE_OF_PAGE(city_js, "city.js"),
    FILE_OF_PAGE(filters_js, "filters.js"),
    FILE_OF_PAGE(hours_js, "hours.js"),
    FILE_OF_PAGE(locate_js, "locate.js"),
    FILE_OF_PAGE(person_card_js, "person-card.js"),
    FILE_OF_PAGE(place_card_js, "place-card.js"),
    FILE_OF_PAGE(photos_js, "photos.js"),
    FILE_OF_PAGE(places_js, "places.js"),
    FILE_OF_PAGE(rights_js, "rights.js"),
    FILE_OF_PAGE(search_js, "search.js"),
    FILE_OF_PAGE(sheet_js, "sheet.js"),
    FILE_OF_PAGE(connection_js, "connection.js"),
    FILE_OF_PAGE(crowd_js, "crowd.js"),
    FILE_OF_PAGE(watch_js, "watch.js"),
    FILE_OF_PAGE(tour_js, "tour.js"),
    FILE_OF_PAGE(edges_js, "edges.js"),
    FILE_OF_PAGE(touch_css, "touch.css"),
    FILE_OF_PAGE(office_about_js, "office-about.js"),
    FILE_OF_PAGE(office_rows_js, "office-rows.js"),
    FILE_OF_PAGE(settings_js, "settings.js"),
    FILE_OF_PAGE(pins_js, "pins.js"),
    FILE_OF_PAGE(values_js, "values.js"),
    FILE_OF_PAGE(stock_js, "stock.js"),
    FILE_OF_PAGE(wish_js, "wish.js"),
    FILE_OF_PAGE(words_js, "words.js"),
    FILE_OF_PAGE(en_js, "en.js"),
    FILE_OF_PAGE(es_js, "es.js"),
    FILE_OF_PAGE(share_html, "share.html"),
    FILE_OF_PAGE(share_js, "share.js"),
    FILE_OF_PAGE(docs_html, "docs.html"),
    FILE_OF_PAGE(docs_css, "docs.css"),
    FILE_OF_PAGE(docs_js, "docs.js"),
    FILE_OF_PAGE(office_css, "office.css"),
    FILE_OF_PAGE(office_js, "office.js"),
    FILE_OF_PAGE(office_code_js, "office-code.js"),
    FILE_OF_PAGE(office_deliveries_js, "office-deliveries.js"),
    FILE_OF_PAGE(office_devices_js, "office-devices.js"),
    FILE_OF_PAGE(office_document_js, "office-document.js"),
    FILE_OF_PAGE(office_en_js, "office-en.js"),
    FILE_OF_PAGE(office_es_js, "office-es.js"),
    FILE_OF_PAGE(office_form_js, "office-form.js"),
    FILE_OF_PAGE(office_import_js, "office-import.js"),
    FILE_OF_PAGE(office_installation_js, "office-installation.js"),
    FILE_OF_PAGE(office_kinds_js, "office-kinds.js"),
    FILE_OF_PAGE(office_table_js, "office-table.js"),
    FILE_OF_PAGE(swagger_ui_js_gz, "swagger-ui.js.gz"),
    FILE_OF_PAGE(swagger_ui_css_gz, "swagger-ui.css.gz"),
    FILE_OF_PAGE(examples_json, "examples.json"),
    FILES_OF_LAND
};

const struct cerca_page_file *cerca_page_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
