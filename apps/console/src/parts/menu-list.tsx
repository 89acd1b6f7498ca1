import type { LucideIcon } from 'lucide-react';
import { Header } from 'react-aria-components/Header';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  type MenuItemProps as AriaMenuItemProps,
  type MenuProps as AriaMenuProps,
} from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import type { ReactNode, RefObject } from 'react';
import { classes } from './classes';
import style from './overlay.module.css';

interface MenuListProps extends Omit<AriaMenuProps<object>, 'children' | 'className' | 'style'> {
  triggerRef: RefObject<HTMLElement | null>;
  label: string;
  children: ReactNode;
  onClose: () => void;
}

/** A menu that is open. */
export function MenuList({ triggerRef, label, children, onClose, ...props }: MenuListProps) {
  return (
    <Popover
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      triggerRef={triggerRef}
      trigger="MenuTrigger"
      aria-label={label}
      className={style.popover ?? ''}
      offset={4}
    >
      <AriaMenu {...props} aria-label={label} autoFocus="first" onClose={onClose} className={style.menu ?? ''}>
        {children}
      </AriaMenu>
    </Popover>
  );
}

export interface MenuItemProps extends Omit<AriaMenuItemProps, 'children' | 'className' | 'style'> {
  icon?: LucideIcon;
  children: ReactNode;
  /** For what destroys something. */
  isDanger?: boolean;
  /** At the end of the line, such as a shortcut. */
  after?: ReactNode;
}

export function MenuItem({ icon: Icon, children, isDanger, after, ...props }: MenuItemProps) {
  return (
    <AriaMenuItem
      {...props}
      {...(typeof children === 'string' ? { textValue: children } : {})}
      className={classes(style.item, isDanger && style.danger)}
    >
      {Icon && <Icon size={16} aria-hidden />}
      <span className={style.grows}>{children}</span>
      {after}
    </AriaMenuItem>
  );
}

export interface SectionProps {
  title?: string;
  children: ReactNode;
  'aria-label'?: string;
}

export function MenuSection({ title, children, ...props }: SectionProps) {
  return (
    <AriaMenuSection {...props}>
      {title !== undefined && <Header className={style.sectionTitle ?? ''}>{title}</Header>}
      {children}
    </AriaMenuSection>
  );
}

export const MenuSeparator = () => <Separator className={style.separator ?? ''} />;
