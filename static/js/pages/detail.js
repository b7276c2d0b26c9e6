// The page of one pod or node: what can be copied there.
import { startCopying } from '../copy.js';
import '../elements/topology-tables.js';
import '../elements/refused-nodes.js';
import '../elements/pod-story.js';

startCopying();
