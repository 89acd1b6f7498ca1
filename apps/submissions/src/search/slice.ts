/** A place in the order of a list. */
export interface Place {
  /** Printed by `exactTime`. */
  created: string;
  id: string;
}

/** The place at which a page ends in a list that is ordered by an answer. */
export interface NumberPlace extends Place {
  number: number;
}

/** The same where the answer is a text, or the number of files. */
export interface TextPlace extends Place {
  value: string;
}

/** An entry that a search has read. */
export interface Hit extends Place {
  /** Whether it is what is sought. */
  isFound: boolean;
  /** Whether it is the last one that the request may read; what follows is to be ignored. */
  isEnd: boolean;
}

export type Direction = 'asc' | 'desc';

export interface Slice<P extends Place = Place> {
  direction: Direction;
  after: P | undefined;
  limit: number;
}
