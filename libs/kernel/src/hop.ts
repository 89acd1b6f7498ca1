/**
 * The header of each POST to a subscriber. Nothing that respondents may do takes a request with it: a webhook that submits to a form would
 * cause the next one, and so on for ever.
 */
export const hopHeader = 'Sheaf-Hop';
