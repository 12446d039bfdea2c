// The files of the page, in the program itself. In C, because `#embed` takes no time: the same bytes as an array literal of Swift
// (`.embedInCode`) take half a minute to compile.
#include "CPageFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "app/index.html"
};
static const unsigned char map_html[] = {
#embed "app/map.html"
};
static const unsigned char page_css[] = {
#embed "app/page.css"
};
static const unsigned char addresses_js[] = {
#embed "app/addresses.js"
};
static const unsigned char app_js[] = {
#embed "app/app.js"
};
static const unsigned char capture_js[] = {
#embed "app/capture.js"
};
static const unsigned char cards_js[] = {
#embed "app/cards.js"
};
static const unsigned char composer_js[] = {
#embed "app/composer.js"
};
static const unsigned char conversation_js[] = {
#embed "app/conversation.js"
};
static const unsigned char conversations_js[] = {
#embed "app/conversations.js"
};
static const unsigned char dom_js[] = {
#embed "app/dom.js"
};
static const unsigned char draft_js[] = {
#embed "app/draft.js"
};
static const unsigned char message_js[] = {
#embed "app/message.js"
};
static const unsigned char moving_js[] = {
#embed "app/moving.js"
};
static const unsigned char editor_js[] = {
#embed "app/editor.js"
};
static const unsigned char gestures_js[] = {
#embed "app/gestures.js"
};
static const unsigned char map_js[] = {
#embed "app/map.js"
};
static const unsigned char media_client_js[] = {
#embed "app/media-client.js"
};
static const unsigned char picture_js[] = {
#embed "app/picture.js"
};
static const unsigned char players_js[] = {
#embed "app/players.js"
};
static const unsigned char profile_js[] = {
#embed "app/profile.js"
};
static const unsigned char reasons_js[] = {
#embed "app/reasons.js"
};
static const unsigned char recipients_js[] = {
#embed "app/recipients.js"
};
static const unsigned char sign_in_js[] = {
#embed "app/sign-in.js"
};
static const unsigned char standing_js[] = {
#embed "app/standing.js"
};
static const unsigned char thread_js[] = {
#embed "app/thread.js"
};
static const unsigned char token_js[] = {
#embed "app/token.js"
};
static const unsigned char tray_js[] = {
#embed "app/tray.js"
};
static const unsigned char trips_js[] = {
#embed "app/trips.js"
};
static const unsigned char uploads_js[] = {
#embed "app/uploads.js"
};
static const unsigned char viewer_js[] = {
#embed "app/viewer.js"
};
static const unsigned char coast_json[] = {
#embed "app/coast.json"
};
static const unsigned char icon_svg[] = {
#embed "app/icon.svg"
};
static const unsigned char icons_svg[] = {
#embed "app/icons.svg"
};

#define FILE_OF(name, symbol) {name, symbol, sizeof symbol}

static const mediatool_page_file files[] = {
  FILE_OF("index.html", index_html),
  FILE_OF("map.html", map_html),
  FILE_OF("page.css", page_css),
  FILE_OF("addresses.js", addresses_js),
  FILE_OF("app.js", app_js),
  FILE_OF("capture.js", capture_js),
  FILE_OF("cards.js", cards_js),
  FILE_OF("composer.js", composer_js),
  FILE_OF("conversation.js", conversation_js),
  FILE_OF("conversations.js", conversations_js),
  FILE_OF("dom.js", dom_js),
  FILE_OF("draft.js", draft_js),
  FILE_OF("message.js", message_js),
  FILE_OF("moving.js", moving_js),
  FILE_OF("editor.js", editor_js),
  FILE_OF("gestures.js", gestures_js),
  FILE_OF("map.js", map_js),
  FILE_OF("media-client.js", media_client_js),
  FILE_OF("picture.js", picture_js),
  FILE_OF("players.js", players_js),
  FILE_OF("profile.js", profile_js),
  FILE_OF("reasons.js", reasons_js),
  FILE_OF("recipients.js", recipients_js),
  FILE_OF("sign-in.js", sign_in_js),
  FILE_OF("standing.js", standing_js),
  FILE_OF("thread.js", thread_js),
  FILE_OF("token.js", token_js),
  FILE_OF("tray.js", tray_js),
  FILE_OF("trips.js", trips_js),
  FILE_OF("uploads.js", uploads_js),
  FILE_OF("viewer.js", viewer_js),
  FILE_OF("coast.json", coast_json),
  FILE_OF("icon.svg", icon_svg),
  FILE_OF("icons.svg", icons_svg),
};

size_t mediatool_page_file_count(void) { return sizeof files / sizeof files[0]; }

mediatool_page_file mediatool_page_file_at(size_t index) { return files[index]; }
