export { anyRoom, hasWanted, RoomWants } from './web/RoomWants.tsx';
