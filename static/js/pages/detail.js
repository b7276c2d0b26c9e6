// The page of one pod or node: what can be copied there.
import { startCopying } from '../copy.js';

startCopying();
