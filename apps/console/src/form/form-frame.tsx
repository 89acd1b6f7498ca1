import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { Badge, Skeleton } from '../parts/states';
import { useWords } from '../words/use-words';
import { useForm } from './form';
import style from './form-frame.module.css';
import { FormStatus } from './form-status';
import { FormTitle } from './form-title';

/** Around the pages of one form: its title and status, and the way from one page to the next. */
export function FormFrame() {
  const say = useWords('form');
  const form = useForm();
  const title = useRef<HTMLHeadingElement>(null);
  const isNew = useLocation({ select: ({ state }) => state.isNewForm === true });
  // The button that made the form is gone with its page, and the focus with it.
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew, form.id]);
  const tabList = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    tabList.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  const params = { form: form.id };
  const tabs = [
    ['/console/forms/$form/build', say.build],
    ['/console/forms/$form/submissions', say.submissions],
    ['/console/forms/$form/insights', say.insights],
    ['/console/forms/$form/share', say.share],
    ['/console/forms/$form/webhooks', say.webhooks],
    ['/console/forms/$form/settings', say.settings],
  ] as const;
  return (
    <>
      <div className={style.head}>
        <div className={style.title}>
          <FormTitle key={form.id} form={form} headingRef={title} />
          <FormStatus form={form} />
          {form.unpublished_changes && form.current_version > 0 && <Badge tone="waiting">{say.unpublishedChanges}</Badge>}
        </div>
        <nav ref={tabList} aria-label={say.sections} className={style.tabs}>
          {tabs.map(([to, label]) => (
            <Link key={to} to={to} params={params} className={style.tab}>
              {label}
            </Link>
          ))}
        </nav>
      </div>
      <Suspense fallback={<Skeleton />}>
        <Outlet />
      </Suspense>
    </>
  );
}
