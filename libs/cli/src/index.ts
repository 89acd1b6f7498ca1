// For the tool of operators, which has some of the commands too.
export { failureOf } from './failure';
export { listenTo, webhookSecretBy, withListenOptions, type ListenOptions } from './listen';
