// The machine as nested boxes, each core coloured by its value.
import { colourKey, colouring } from "./heatmap.js";
import { text } from "./scales.js";
import { tip } from "./words.js";
export const axisTitle = () => "";
export function option() { return { height: 100, option: {} }; }
