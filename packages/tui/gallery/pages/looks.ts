/** The theme itself: every role as it looks here. */
import { remember } from '../../src/boxes/remember.ts';
import { pad } from '../../src/text/cut.ts';
import { roles } from '../../src/theme/theme.ts';
import type { Page } from '../kit.ts';

const widest = Math.max(...roles.map((role) => role.length));

const colours: Page = {
  title: 'Colours',
  make({ theme }) {
    const { render } = remember((width) => {
      const columns = Math.max(1, Math.floor((width + 1) / (widest + 1)));
      const rows = Math.ceil(roles.length / columns);
      return Array.from({ length: rows }, (_, row) =>
        Array.from({ length: columns }, (_column, column) => roles[column * rows + row])
          .flatMap((role) => (role ? [theme.paint(role, pad(role, Math.min(width, widest)))] : []))
          .join(' '),
      );
    });
    return { render };
  },
};

export const looksPages: readonly Page[] = [colours];
