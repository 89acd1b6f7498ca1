import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { ButtonLink } from '../parts/button';
import { Problem } from '../parts/problem';
import { Empty } from '../parts/states';
import { hasStatus } from '../api/problem-sentence';
import { useWords } from '../words/use-words';
import { useTitle } from './use-title';

export function NotFoundPage() {
  const say = useWords('everywhere').shell;
  useTitle(say.notFoundTitle);
  return (
    <Empty icon={FileQuestion} title={say.notFoundTitle} actions={<ButtonLink href="/console/forms">{say.toForms}</ButtonLink>}>
      {say.notFoundHelp}
    </Empty>
  );
}

/** In place of a route that could not be loaded or failed while it was shown. */
export function RouteProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  if (hasStatus(error, 404)) return <NotFoundPage />;
  const retry = () => {
    queries.reset();
    reset();
    void router.invalidate();
  };
  return <Problem error={error} onRetry={retry} />;
}
