/** The headers in which the gateway tells `pages` the facts of a call (`Call`). It removes what a client sends under these names. */
export const pageHeaders = {
  token: 'x-sheaf-caller',
  requestId: 'x-request-id',
  trace: 'traceparent',
  address: 'x-client-address',
  deadline: 'x-sheaf-deadline',
  /** The pass that the browser was given for the code of a form. */
  formPass: 'x-sheaf-form-pass',
  /** `http` or `https`, as the client's browser sees it. */
  scheme: 'x-forwarded-proto',
} as const;

/**
 * The cookie in which a browser keeps the pass that it was given for the code of a form. `pages` sets it, at the path of the form, and the gateway
 * passes on its value. Without TLS, browsers would reject the prefix.
 */
export const formPassCookie = (isSecure: boolean): string => (isSecure ? '__Secure-sheaf_form' : 'sheaf_form');
