/**
 * The name of a file in a `multipart/form-data` body, as its sender has it. Browsers write a quotation mark as `%22`, and line breaks as `%0D` and
 * `%0A` (HTML, multipart/form-data encoding algorithm), and nothing else: `100%25.txt` is called that.
 */
export const nameInFormData = (encoded: string): string => encoded.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
