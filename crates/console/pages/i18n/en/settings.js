// Settings.

export default {
  "settings.text": "Of this device, and of this browser.",
  "settings.saved": "Saved. It counts from now on.",
  "settings.save": "Save",
  "settings.look": "Language and look",
  "settings.look.text":
    "The language is used on the pages and in the terminal; the look only in this browser.",
  "settings.language": "Language",
  "settings.theme": "Look",
  "settings.theme.system": "As the system",
  "settings.theme.light": "Light",
  "settings.theme.dark": "Dark",
  "settings.folders": "Folders",
  "settings.folders.text":
    "Agents can ask for files in these folders only. Everything else is refused without asking you.",
  "settings.folders.none": "No folder is chosen. Reading files is refused.",
  "settings.folders.path": "Path of a folder",
  "settings.folders.add": "Add a folder",
  "settings.folders.added": "The folder was added.",
  "settings.folders.remove": "Remove the folder {folder}",
  "settings.folders.removed": "The folder was removed.",
  "settings.place": "Location",
  "settings.place.text":
    "What an agent hears when you allow it to know where you are. Without a location, the answer is that none is set up.",
  "settings.place.latitude": "Latitude",
  "settings.place.longitude": "Longitude",
  "settings.place.accuracy": "Accuracy in meters",
  "settings.place.clear": "Forget the location",
  "settings.place.wrong":
    "Give a latitude from −90 to 90, a longitude from −180 to 180 and an accuracy.",
  "settings.sensitivity": "Sensitivity",
  "settings.sensitivity.text":
    "You can make a permission more sensitive than its manifest says, never less.",
  "settings.sensitivity.preset": "As declared",
  "settings.origins": "Addresses for development",
  "settings.origins.text":
    "Web pages are fetched over https only, and never from your own network, except from these origins.",
  "settings.origins.field": "Origins, one per line",
  "settings.shortcuts": "Keys",
  "settings.shortcuts.text":
    "Single letters that work on the pages of this browser. Press ? to see them.",
  "settings.shortcuts.on": "Use single letters",
  "settings.account": "Account",
  "settings.account.text": "Where this device is signed in.",
  "settings.logout": "Sign out",
};
