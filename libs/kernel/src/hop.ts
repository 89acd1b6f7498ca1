/**
 * The header of every POST to a subscriber. The public API refuses requests that carry it: a webhook that submitted to a form would trigger
 * the next webhook, and so on forever.
 */
export const hopHeader = 'Sheaf-Hop';
