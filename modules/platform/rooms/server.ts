import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import { roomTimes } from './contract/looks.ts';
import { offices } from './contract/offices.ts';
import { rooms } from './contract/rooms.ts';
import { doors, waiting } from './contract/waiting.ts';
import { doorHandlers } from './server/door.ts';
import { officeHandlers } from './server/offices.ts';
import { roomHandlers } from './server/rooms.ts';
import { timeHandlers } from './server/times.ts';
import { waitingHandlers } from './server/waiting.ts';

export const roomsModules: readonly ServerModule[] = [
  implement('rooms', offices, officeHandlers),
  implement('rooms', rooms, roomHandlers),
  implement('rooms', roomTimes, timeHandlers),
  implement('rooms', waiting, waitingHandlers),
  implement('rooms', doors, doorHandlers),
];
