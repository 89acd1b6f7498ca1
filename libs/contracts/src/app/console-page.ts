/**
 * The Content-Security-Policy of the console's page. It loads only from its own origin and calls only its own APIs. Nothing is inline.
 * Pictures may also come from the page itself (`data:` for a form's logo, `blob:` for a file of a submission). It shows forms in frames:
 * their preview, and the embedded form.
 */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
