import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { DialogTrigger } from 'react-aria-components/Dialog';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { Button } from '../../parts/button';
import { SearchField } from '../../parts/search-field';
import overlay from '../../parts/overlay.module.css';
import { useWords } from '../../words/use-words';
import { groups, iconOf, type Kind } from '../model/kinds';
import style from './editor.module.css';

const groupWords = { text: 'text', choice: 'choice', number: 'numbers', date: 'dates', other: 'other', layout: 'layout' } as const;

/**
 * *Add field*, and all types that it offers: to search, or to look through.
 * @param hasFields whether there is a field on which a check or an ending could depend
 */
export function Palette({
  onAdd,
  hasFields,
  isPending = false,
  label,
  isOffered = () => true,
  isSmall = false,
}: {
  onAdd: (kind: Kind) => void;
  hasFields: boolean;
  isPending?: boolean;
  /** The button's text, if it is not *Add field*. */
  label?: string | undefined;
  isOffered?: ((kind: Kind) => boolean) | undefined;
  isSmall?: boolean;
}) {
  const say = useWords('builder').page;
  const { kinds: kindSay, synonyms } = useWords('builder');
  const [isOpen, setIsOpen] = useState(false);
  const [query, setQuery] = useState('');
  const name = label ?? say.addField;
  const offered = groups.flatMap(({ group, kinds }) => (kinds.some(isOffered) ? [{ group, kinds: kinds.filter(isOffered) }] : []));
  const textOf = (kind: Kind) => `${kindSay[kind]} ${kindSay[`${kind}Help`]} ${synonyms[kind]}`;
  const open = (next: boolean) => {
    setIsOpen(next);
    setQuery('');
  };
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={open}>
      <Button look={isSmall ? 'secondary' : 'primary'} isSmall={isSmall} icon={Plus} isPending={isPending}>
        {name}
      </Button>
      <Popover className={overlay.popover ?? ''} offset={4} placement="bottom start">
        <Dialog aria-label={name} className={style.palette ?? ''}>
          <Autocomplete inputValue={query} onInputChange={setQuery} filter={(text, typed) => matches(text, typed)}>
            <SearchField label={say.findType} autoFocus />
            <Menu
              aria-label={name}
              className={style.kinds ?? ''}
              disabledKeys={hasFields ? [] : ['check', 'ending']}
              renderEmptyState={() => <p className="muted">{say.noType}</p>}
              onAction={(key) => {
                open(false);
                onAdd(key as Kind);
              }}
            >
              {offered.map(({ group, kinds }) => (
                <MenuSection key={group} id={`group ${group}`} aria-label={kindSay[groupWords[group]]}>
                  <Header className={overlay.sectionTitle ?? ''}>{kindSay[groupWords[group]]}</Header>
                  {kinds.map((kind) => {
                    const Icon = iconOf(kind);
                    return (
                      <MenuItem key={kind} id={kind} textValue={textOf(kind)} className={overlay.item ?? ''}>
                        <Icon size={16} aria-hidden />
                        <span className={overlay.grows}>
                          <Text slot="label">{kindSay[kind]}</Text>
                          <Text slot="description" elementType="div" className="muted">
                            {kindSay[`${kind}Help`]}
                          </Text>
                        </span>
                      </MenuItem>
                    );
                  })}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Whether a text has all the words that were typed, in any order. */
const matches = (text: string, typed: string): boolean =>
  plain(typed)
    .split(/\s+/)
    .every((word) => plain(text).includes(word));
