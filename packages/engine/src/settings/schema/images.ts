/** Settings of pictures that go to models. */

import { setting, settingArea, Type } from "@omp/std";

export const imagesArea = settingArea("images", {
  autoResize: setting(Type.Boolean(), true, {
    label: "Resize images",
    help: "Make pictures fit into 2000x2000 pixels and about 5 MB before they are sent",
  }),
  blockImages: setting(Type.Boolean(), false, {
    label: "Block images",
    help: "Never send pictures to a model; a line of text says that one was left out",
  }),
});
