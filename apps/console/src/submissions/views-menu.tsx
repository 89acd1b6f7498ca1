import { Bookmark, Check, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../parts/button';
import { Dialog, FormDialog } from '../parts/dialog';
import { TextField } from '../parts/fields';
import { Menu, MenuItem, MenuSection, MenuSeparator } from '../parts/menu';
import { toast } from '../parts/toasts';
import { useWords } from '../words/use-words';
import { listPart, type PageSearch } from './list-search';
import style from './list.module.css';
import { maxViews, type View, type ViewSettings } from './view-settings';

interface ViewsMenuProps {
  search: PageSearch;
  settings: ViewSettings;
  onChange: (settings: ViewSettings) => void;
  onApply: (view: View) => void;
}

const isSame = (one: PageSearch, other: PageSearch): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

/** The lists that the person keeps under a name. */
export function ViewsMenu({ search, settings, onChange, onApply }: ViewsMenuProps) {
  const say = useWords('submissions');
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const { views } = settings;
  const current = listPart(search);
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
        {views.length > 0 && (
          <MenuSection title={say.savedViews}>
            {views.map((view) => (
              <MenuItem
                key={view.name}
                id={view.name}
                onAction={() => onApply(view)}
                after={isSame(view.search, current) && <Check size={14} aria-hidden />}
              >
                {view.name}
              </MenuItem>
            ))}
          </MenuSection>
        )}
        {views.length > 0 && <MenuSeparator />}
        <MenuItem isDisabled={views.length >= maxViews} onAction={() => setDialog('save')}>
          {say.saveView}
        </MenuItem>
        {views.length > 0 && <MenuItem onAction={() => setDialog('manage')}>{say.manageViews}</MenuItem>}
      </Menu>
      {dialog === 'save' && <SaveDialog search={current} settings={settings} onChange={onChange} onClose={() => setDialog(undefined)} />}
      {dialog === 'manage' && (
        <Dialog title={say.savedViews} onClose={() => setDialog(undefined)} isDismissable>
          {views.length === 0 ? <p className="muted">{say.noViews}</p> : null}
          <ul className={style.columnList}>
            {views.map((view) => (
              <li key={view.name}>
                <span dir="auto" className={style.grows}>
                  {view.name}
                </span>
                <IconButton
                  isSmall
                  icon={Trash2}
                  label={say.deleteView(view.name)}
                  onPress={() => {
                    onChange({ ...settings, views: views.filter((each) => each !== view) });
                    toast({ text: say.viewDeleted(view.name), onUndo: () => onChange({ ...settings, views: [...views] }) });
                  }}
                />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

type SaveDialogProps = Omit<ViewsMenuProps, 'onApply'> & { onClose: () => void };

function SaveDialog({ search, settings, onChange, onClose }: SaveDialogProps) {
  const say = useWords('submissions');
  const [name, setName] = useState('');
  const save = () => {
    const view = { name: name.trim(), search, layout: settings.layout };
    onChange({ ...settings, views: [...settings.views.filter((each) => each.name !== view.name), view] });
    return Promise.resolve();
  };
  const replaces = settings.views.some((view) => view.name === name.trim());
  return (
    <FormDialog title={say.saveView} onClose={onClose} submitLabel={say.save} onSubmit={save} isIncomplete={name.trim() === ''}>
      <TextField
        label={say.viewName}
        help={replaces ? say.replacesView : say.viewHelp}
        value={name}
        onChange={setName}
        maxLength={60}
        autoFocus
        autoComplete="off"
      />
    </FormDialog>
  );
}
