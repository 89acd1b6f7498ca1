import { createForm } from '@sheaf/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate, useBlocker, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { LayoutList } from 'lucide-react';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { client } from '../api/client';
import { Palette } from '../builder/editor/palette';
import type { Kind } from '../builder/model/kinds';
import { Button } from '../parts/button';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { Empty } from '../parts/states';
import { TextField } from '../parts/text-field';
import { useWorkspaceRole } from '../session/session';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { reloadLists } from './actions';
import { useNoteFirstForm } from './first-steps';
import style from './new-form-page.module.css';

/** A form that is made with its first field or its title: one that is left as it is was never made. */
export function NewFormPage() {
  const say = useWords('forms');
  useTitle(say.newForm);
  const role = useWorkspaceRole();
  return role === undefined || role === 'viewer' ? <Navigate to="/console/forms" replace /> : <NewForm />;
}

function NewForm() {
  const say = useWords('forms');
  const { page: builderSay } = useWords('builder');
  const [title, setTitle] = useState('');
  const isTitled = title.trim() !== '';
  const { make, open, isMade, isPending, error } = useMaking(title);
  useBlocker({
    // The title is all that could be lost. If it cannot be kept, the page stays, and says why.
    shouldBlockFn: () =>
      !isMade() &&
      isTitled &&
      make().then(
        () => false,
        () => true,
      ),
    enableBeforeUnload: () => !isMade() && isTitled,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that led here is gone with its page, and the focus with it.
  useEffect(() => heading.current?.focus(), []);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isTitled) open();
  };
  return (
    <Page>
      <h1 ref={heading} tabIndex={-1}>
        {say.newForm}
      </h1>
      <form onSubmit={onSubmit} className={style.title}>
        <TextField
          label={say.title}
          help={say.newFormHelp}
          value={title}
          onChange={setTitle}
          maxLength={200}
          autoComplete="off"
          isReadOnly={isPending}
        />
        {isTitled && (
          <Button type="submit" isPending={isPending}>
            {say.createForm}
          </Button>
        )}
      </form>
      {error !== null && <Problem error={error} />}
      <Empty icon={LayoutList} title={builderSay.emptyTitle} actions={<Palette onAdd={open} hasFields={false} isPending={isPending} />}>
        {builderSay.emptyHelp}
      </Empty>
    </Page>
  );
}

/** Makes the form once, however many ask for it at the same time. */
function useMaking(title: string) {
  const { folder } = useSearch({ from: '/shell/console/forms/new' });
  const isFirst = useLocation({ select: ({ state }) => state.isFirstForm === true });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const noteFirst = useNoteFirstForm();
  const made = useRef<string>(undefined);
  const making = useRef<Promise<string>>(undefined);
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: async () => {
      const { id } = await createForm({ client, body: { title: title.trim(), ...(folder === undefined ? {} : { folder_id: folder }) } });
      made.current = id;
      if (isFirst) noteFirst(id);
      return id;
    },
    onSettled: () => {
      making.current = undefined;
      void reloadLists(queryClient);
    },
  });
  const make = () => (making.current ??= mutateAsync());
  return {
    make,
    /** Goes on in the builder: at the title, or with a field that is added there. */
    open: (kind?: Kind) =>
      void make().then(
        (form) =>
          navigate({
            to: '/console/forms/$form/build',
            params: { form },
            state: kind === undefined ? { isNewForm: true } : { firstField: kind },
            replace: true,
          }),
        // It is shown.
        () => undefined,
      ),
    isMade: () => made.current !== undefined,
    isPending,
    error,
  };
}
