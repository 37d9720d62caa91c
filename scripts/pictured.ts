/** A page in docs/pictures. */
export interface Pictured {
  name: string;
  who: string;
  path: string;
  /** A list whose first record's id replaces `{id}`. */
  first?: string;
  /** Button that opens the pictured content. */
  press?: string;
  dark?: boolean;
  /** The only window in which it is pictured. */
  only?: string;
}

/** A desktop and a phone, by the suffix of the picture's name. */
export const windows = {
  '': { viewport: { width: 1440, height: 900 } },
  '-phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** The ten most used pages, and the home page in the dark theme. */
export const pictured: readonly Pictured[] = [
  { name: 'home', who: 'song.mingjie', path: '/index' },
  { name: 'home-dark', who: 'song.mingjie', path: '/index', dark: true, only: '' },
  { name: 'todo', who: 'song.mingjie', path: '/ticket/duty' },
  {
    name: 'ticket',
    who: 'song.mingjie',
    path: '/ticket/detail/{id}',
    first: '/api/tickets/?category=duty&per_page=1&search_value=第一食堂',
  },
  { name: 'start', who: 'qin.haoyu', path: '/ticket/new', press: '请假申请' },
  { name: 'documents', who: 'admin', path: '/document/list?category=all' },
  { name: 'rooms', who: 'song.mingjie', path: '/meet/day' },
  { name: 'week', who: 'guo.zhenhua', path: '/schedule/index' },
  { name: 'address', who: 'qin.haoyu', path: '/address' },
  { name: 'messages', who: 'song.mingjie', path: '/msg' },
  {
    name: 'designer',
    who: 'admin',
    path: '/ticket/workflow/design/{id}',
    first: '/api/workflows/?per_page=1',
  },
];
/** Files of docs/pictures. */
export const pictureNames = pictured.flatMap(({ name, only }) =>
  Object.keys(windows)
    .filter((suffix) => only === undefined || only === suffix)
    .map((suffix) => `${name}${suffix}.png`),
);
