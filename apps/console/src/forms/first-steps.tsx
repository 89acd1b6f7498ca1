import { lazy, Suspense } from 'react';
import { useSession } from '../session/session';
import { useFormList } from './form-list-query';
import type { Ask } from './form-menu';
import type { Place } from './place';
import { noteTour, useTourProgress } from './tour/progress';
import { withWords } from '../shell/with-words';

const Tour = lazy(
  withWords(['tour', 'forms', 'templates'], () => import('./tour/tour').then(({ Tour: component }) => ({ default: component }))),
);

/** Whether the person is on the tour: it begins without a form, and stays until it is over or they skip it. */
export function useIsOnTour(place: Place, mayCreate: boolean): boolean {
  const { isOver, form } = useTourProgress(useTourKey());
  const list = useFormList(place);
  const isPlain = place.view === 'all' && place.folder === undefined && place.q === undefined && place.status === undefined;
  if (!mayCreate || !isPlain || isOver === true) return false;
  return form !== undefined || (list.isSuccess && !list.hasNextPage && list.forms.length === 0);
}

/** The tour belongs to a person and a workspace: it begins where there is no form. */
function useTourKey(): string {
  const { user, workspace } = useSession();
  return `${user.id}.${workspace?.id}`;
}

/** Notes the form that a person began on the tour. */
export function useNoteFirstForm(): (form: string) => void {
  const tourKey = useTourKey();
  return (form) => noteTour(tourKey, { form });
}

export function FirstSteps({ ask }: { ask: Ask }) {
  const tourKey = useTourKey();
  const progress = useTourProgress(tourKey);
  return (
    <Suspense>
      <Tour tourKey={tourKey} progress={progress} ask={ask} />
    </Suspense>
  );
}
