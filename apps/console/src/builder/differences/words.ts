import { defineWords } from '../../words/words';

export const words = defineWords(
  {
    changes: 'Changes',
    added: 'Added',
    removed: 'Removed',
    retyped: 'Type changed',
    changed: 'Changed',
    moved: 'Moved',
    movedFromTo: (from: number, to: number) => `from place ${from} to place ${to}`,
    price: 'Price',
    free: 'Free',
    none: 'No changes.',
    nothing: 'nothing',
    was: 'before',
    now: 'now',
  },
  {
    changes: 'Änderungen',
    added: 'Hinzugefügt',
    removed: 'Entfernt',
    retyped: 'Typ geändert',
    changed: 'Geändert',
    moved: 'Verschoben',
    movedFromTo: (from: number, to: number) => `von Platz ${from} auf Platz ${to}`,
    price: 'Preis',
    free: 'Kostenlos',
    none: 'Keine Änderungen.',
    nothing: 'nichts',
    was: 'vorher',
    now: 'jetzt',
  },
);
