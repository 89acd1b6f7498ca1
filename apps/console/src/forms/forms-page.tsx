import { FilePlus2, FileUp, LayoutTemplate } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button, ButtonLink } from '../parts/button';
import { useWorkspaceRole } from '../session/session';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { useFormActions } from './actions';
import { FirstSteps, useIsOnTour } from './first-steps';
import { FolderMenu } from './folder-menu';
import { useFolders } from './folders';
import { FormList } from './form-list';
import style from './forms-page.module.css';
import { newFormHref, type Place } from './place';
import { PlacesMenu } from './places-menu';
import type { Question } from './question';
import { SidePanel } from './side-panel';
import { Toolbar } from './toolbar';
import { usePlace } from './use-place';

// A dialog is needed only once a button is pressed.
const QuestionDialog = lazy(() => import('./question-dialog').then(({ QuestionDialog: component }) => ({ default: component })));

/** The forms of the workspace, by view and folder. */
export function FormsPage() {
  const say = useWords('forms');
  const here = usePlace();
  const actions = useFormActions();
  const role = useWorkspaceRole();
  const mayCreate = role !== undefined && role !== 'viewer';
  const [question, setQuestion] = useState<Question>();
  const { title, folder } = useHeading(here.place);
  useTitle(title);
  const inFolder = folder?.id;
  const isOnTour = useIsOnTour(here.place, mayCreate);
  return (
    <div className={style.page}>
      <SidePanel {...here} ask={setQuestion} mayCreate={mayCreate} />
      <div className={style.content}>
        <div className={style.head}>
          <div className={style.heading}>
            <h1 dir="auto">{title}</h1>
            {folder && <FolderMenu folder={folder} ask={setQuestion} mayCreate={mayCreate} />}
          </div>
          {mayCreate && (
            <div className={style.actions}>
              <Button look="quiet" icon={FileUp} onPress={() => setQuestion({ kind: 'import', folder: inFolder })}>
                {say.import}
              </Button>
              <Button icon={LayoutTemplate} onPress={() => setQuestion({ kind: 'templates', folder: inFolder })}>
                {say.templates}
              </Button>
              <ButtonLink look="primary" icon={FilePlus2} href={newFormHref(inFolder)}>
                {say.newForm}
              </ButtonLink>
            </div>
          )}
        </div>
        <div className={style.tools}>
          <PlacesMenu {...here} ask={setQuestion} mayCreate={mayCreate} title={title} />
          <Toolbar {...here} />
        </div>
        {isOnTour && <FirstSteps ask={setQuestion} />}
        <FormList {...here} actions={actions} ask={setQuestion} mayCreate={mayCreate} isEmptyKnown={isOnTour} />
      </div>
      {question && (
        <Suspense>
          <QuestionDialog question={question} onClose={() => setQuestion(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

function useHeading({ view, folder: id }: Place) {
  const say = useWords('forms');
  const folder = useFolders().find((each) => each.id === id);
  if (view !== 'all') return { title: say.viewNames[view], folder: undefined };
  if (id === 'none') return { title: say.unfiled, folder: undefined };
  return { title: folder?.label ?? say.forms, folder };
}
