import type { FormSettingsDetail, SubmissionView } from '@sheaf/client';
import { ArrowLeft, ArrowRight, Bookmark, Check, Pencil, Pin, PinOff, Plus, Trash2, User, Users } from 'lucide-react';
import { useState } from 'react';
import { mayEdit } from '../form/form';
import { Button } from '../parts/button';
import { FormDialog } from '../parts/dialog';
import { Checkbox, TextField } from '../parts/fields';
import { Menu, MenuItem, MenuSection, MenuSeparator } from '../parts/menu';
import { toast } from '../parts/toasts';
import { useAttempt } from '../parts/use-attempt';
import { useWords } from '../words/use-words';
import type { Layout } from './columns';
import { usePageAddress } from './page-search';
import { pageSearchOf, viewSearchOf } from './view-search';
import { columnsOf, freeName, type Views } from './views-data';

interface ViewsMenuProps {
  form: FormSettingsDetail;
  views: Views;
  current: SubmissionView | undefined;
  layout: Layout;
}

const maxName = 80;

/** The lists that are kept under a name: those of everybody, and those of the person. */
export function ViewsMenu({ form, views, current, layout }: ViewsMenuProps) {
  const say = useWords('submissions');
  const { go } = usePageAddress();
  const [dialog, setDialog] = useState<'save' | 'rename'>();
  const sections = [
    { title: say.sharedViews, list: views.all.filter(({ shared }) => shared) },
    { title: say.ownViews, list: views.all.filter(({ shared }) => !shared) },
  ].filter(({ list }) => list.length > 0);
  return (
    <>
      <Menu
        label={say.views}
        trigger={
          <Button look="quiet" icon={Bookmark}>
            {say.views}
          </Button>
        }
      >
        {sections.map(({ title, list }) => (
          <MenuSection key={title} title={title}>
            {list.map((view) => (
              <MenuItem
                key={view.id}
                textValue={view.name}
                onAction={() => go(() => ({ view: view.id, ...pageSearchOf(view.search) }))}
                after={view.id === current?.id && <Check size={14} aria-hidden />}
              >
                <bdi>{view.name}</bdi>
              </MenuItem>
            ))}
          </MenuSection>
        ))}
        {sections.length > 0 && <MenuSeparator />}
        <MenuItem icon={Plus} onAction={() => setDialog('save')}>
          {say.saveView}
        </MenuItem>
        {current && (!current.shared || mayEdit(form)) ? (
          <ViewActions form={form} views={views} view={current} onRename={() => setDialog('rename')} />
        ) : null}
      </Menu>
      {dialog === 'save' && <SaveDialog form={form} views={views} layout={layout} onClose={() => setDialog(undefined)} />}
      {dialog === 'rename' && current && <RenameDialog views={views} view={current} onClose={() => setDialog(undefined)} />}
    </>
  );
}

interface ViewActionsProps {
  form: FormSettingsDetail;
  views: Views;
  view: SubmissionView;
  onRename: () => void;
}

/** The actions on the view that is shown. */
function ViewActions({ form, views, view, onRename }: ViewActionsProps) {
  const say = useWords('submissions');
  const attempt = useAttempt();
  const { go } = usePageAddress();
  const { name, shared, pinned } = view;
  const alike = views.all.filter((each) => each.shared === shared);
  /** The place of the tab before or after it. */
  const placeBeside = (step: 1 | -1) => {
    const tabs = alike.filter((each) => each.pinned);
    const beside = tabs[tabs.findIndex(({ id }) => id === view.id) + step];
    return beside && alike.indexOf(beside);
  };
  const [before, after] = pinned ? [placeBeside(-1), placeBeside(1)] : [];
  /** The shared one stays, as others use it. */
  const copy = async () => {
    const { search, columns } = view;
    const own = views.all.filter((each) => !each.shared);
    const { id } = await views.create({ name: freeName(name, own), shared: false, pinned, search, ...(columns && { columns }) });
    go((before) => ({ ...before, view: id }));
  };
  const remove = async () => {
    await views.remove(view);
    go(({ view: _, ...rest }) => rest);
    const onUndo = () =>
      attempt(async () => {
        const { id } = await views.restore(view);
        go(() => ({ view: id, ...pageSearchOf(view.search) }));
      });
    toast({ text: say.viewDeleted(name), onUndo });
  };
  return (
    <MenuSection title={name}>
      <MenuItem icon={Pencil} onAction={onRename}>
        {say.renameView}
      </MenuItem>
      {mayEdit(form) ? (
        <MenuItem icon={shared ? User : Users} onAction={() => attempt(() => (shared ? copy() : views.update(view, { shared: true })))}>
          {shared ? say.copyViewForSelf : say.shareView}
        </MenuItem>
      ) : null}
      <MenuItem icon={pinned ? PinOff : Pin} onAction={() => attempt(() => views.update(view, { pinned: !pinned }))}>
        {pinned ? say.unpinView : say.pinView}
      </MenuItem>
      {before === undefined ? null : (
        <MenuItem icon={ArrowLeft} onAction={() => attempt(() => views.update(view, { position: before }))}>
          {say.moveToStart}
        </MenuItem>
      )}
      {after === undefined ? null : (
        <MenuItem icon={ArrowRight} onAction={() => attempt(() => views.update(view, { position: after }))}>
          {say.moveToEnd}
        </MenuItem>
      )}
      <MenuItem icon={Trash2} isDanger onAction={() => attempt(remove)}>
        {say.deleteView}
      </MenuItem>
    </MenuSection>
  );
}

function SaveDialog({ form, views, layout, onClose }: Pick<ViewsMenuProps, 'form' | 'views' | 'layout'> & { onClose: () => void }) {
  const say = useWords('submissions');
  const { search, go } = usePageAddress();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [pinned, setPinned] = useState(true);
  const replaced = views.all.find((view) => view.shared === shared && view.name === name.trim());
  const save = async () => {
    const kept = { pinned, search: viewSearchOf(search), columns: columnsOf(layout) };
    const { id } = await (replaced ? views.update(replaced, kept) : views.create({ name, shared, ...kept }));
    go((before) => ({ ...before, view: id }));
  };
  return (
    <FormDialog title={say.saveView} onClose={onClose} submitLabel={say.save} onSubmit={save} isIncomplete={name.trim() === ''}>
      <TextField
        label={say.viewName}
        help={replaced ? say.replacesView : say.viewHelp}
        value={name}
        onChange={setName}
        maxLength={maxName}
        autoFocus
        autoComplete="off"
      />
      <Checkbox isSelected={pinned} onChange={setPinned}>
        {say.pinView}
      </Checkbox>
      {mayEdit(form) && (
        <>
          <Checkbox isSelected={shared} onChange={setShared}>
            {say.shareView}
          </Checkbox>
          <p className="muted">{say.shareViewHelp}</p>
        </>
      )}
    </FormDialog>
  );
}

function RenameDialog({ views, view, onClose }: { views: Views; view: SubmissionView; onClose: () => void }) {
  const say = useWords('submissions');
  const [name, setName] = useState(view.name);
  const isTaken = views.all.some((each) => each.id !== view.id && each.shared === view.shared && each.name === name.trim());
  return (
    <FormDialog
      title={say.renameView}
      onClose={onClose}
      submitLabel={say.save}
      onSubmit={() => views.update(view, { name })}
      isIncomplete={name.trim() === '' || isTaken}
    >
      <TextField
        label={say.viewName}
        {...(isTaken && { help: say.viewNameTaken })}
        value={name}
        onChange={setName}
        maxLength={maxName}
        autoFocus
        autoComplete="off"
      />
    </FormDialog>
  );
}
