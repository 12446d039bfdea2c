// gmime-list LIST: the type, name and decoded size of each part of the mails that the file LIST names, one per line.
//
// The least that a program over GMime has to do for what `mediatool mail` prints: reads each file as a stream, and decodes every body to count it.
#include <gmime/gmime.h>
#include <stdio.h>
#include <string.h>

static void list(GMimeObject *object) {
  if (object == NULL) return;
  char *type = g_mime_content_type_get_mime_type(g_mime_object_get_content_type(object));
  const char *name = "";
  gint64 bytes = 0;
  if (GMIME_IS_PART(object)) {
    GMimeDataWrapper *content = g_mime_part_get_content((GMimePart *)object);
    if (g_mime_part_get_filename((GMimePart *)object)) name = g_mime_part_get_filename((GMimePart *)object);
    GMimeStream *null = g_mime_stream_null_new();
    if (content) bytes = g_mime_data_wrapper_write_to_stream(content, null);
    g_object_unref(null);
  }
  printf("%s\t%s\t%lld\n", type, name, (long long)bytes);
  g_free(type);
  if (GMIME_IS_MULTIPART(object)) {
    int count = g_mime_multipart_get_count((GMimeMultipart *)object);
    for (int index = 0; index < count; index++) list(g_mime_multipart_get_part((GMimeMultipart *)object, index));
  } else if (GMIME_IS_MESSAGE_PART(object)) {
    GMimeMessage *message = g_mime_message_part_get_message((GMimeMessagePart *)object);
    if (message) list(g_mime_message_get_mime_part(message));
  }
}

int main(int count, char **arguments) {
  FILE *names = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (names == NULL) return 64;
  g_mime_init();
  char path[4096];
  while (fgets(path, sizeof path, names)) {
    path[strcspn(path, "\n")] = 0;
    GMimeStream *stream = g_mime_stream_fs_open(path, 0, 0, NULL);
    if (stream == NULL) return 1;
    GMimeParser *parser = g_mime_parser_new_with_stream(stream);
    GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
    if (message) {
      list(g_mime_message_get_mime_part(message));
      g_object_unref(message);
    }
    g_object_unref(parser);
    g_object_unref(stream);
  }
  fclose(names);
  return 0;
}
