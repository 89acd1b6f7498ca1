/** The headers in which the gateway tells `pages` the facts of a call (`Call`). It removes what a client sends under these names. */
export const pageHeaders = {
  token: 'x-sheaf-caller',
  requestId: 'x-request-id',
  trace: 'traceparent',
  address: 'x-client-address',
  deadline: 'x-sheaf-deadline',
  /** `http` or `https`, as the client's browser sees it. */
  scheme: 'x-forwarded-proto',
} as const;
