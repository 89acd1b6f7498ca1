/** A place in the order of a list. */
export interface Place {
  /** Printed by `exactTime`. */
  created: string;
  id: string;
}

/** Where a page ends in a list that is ordered by an answer. */
export interface NumberPlace extends Place {
  number: number;
}

export type Direction = 'asc' | 'desc';

export interface Slice<P extends Place = Place> {
  direction: Direction;
  after: P | undefined;
  limit: number;
}
