/**
 * Keeps each event once, for a listener that counts what it heard. Events come at least once: the stream drops one that is sent again at
 * once, and a listener beside the stream hears it twice.
 */
export function eachOnce<Event extends { id: string }>(keep: (event: Event) => unknown): (event: Event) => void {
  const known = new Set<string>();
  return (event) => {
    if (!known.has(event.id)) keep(event);
    known.add(event.id);
  };
}
