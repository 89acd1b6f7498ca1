/**
 * Ignores repeated events, for a listener that counts events. Delivery is at least once: the stream drops an event that is soon sent again,
 * but a direct subscriber receives it twice.
 */
export function eachOnce<Event extends { id: string }>(keep: (event: Event) => unknown): (event: Event) => void {
  const known = new Set<string>();
  return (event) => {
    if (!known.has(event.id)) keep(event);
    known.add(event.id);
  };
}
