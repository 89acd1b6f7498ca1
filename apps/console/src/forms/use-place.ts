import { useNavigate, useSearch } from '@tanstack/react-router';
import { placeOf, searchOf, type Place } from './place';

export interface PlaceAndWay {
  place: Place;
  /** Goes to a place; what is not given stays. `replace` leaves no trace in the history, as for typing. */
  go: (change: Partial<Place>, options?: { replace?: boolean }) => void;
}

export function usePlace(): PlaceAndWay {
  const place = placeOf(useSearch({ from: '/shell/console/forms' }));
  const navigate = useNavigate();
  return {
    place,
    go: (change, { replace = false } = {}) => void navigate({ to: '/console/forms', search: searchOf({ ...place, ...change }), replace }),
  };
}
